import { blocksPerSm, machineByName } from '@griddep/machine';
import { gridBarrier, spin } from '@griddep/program';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filling, H200, KIB, PDL, run, SMS, small, takes, WHOLE_SM } from './rules.fixture.ts';

const limits = H200.devices[0]?.limits as NonNullable<(typeof H200.devices)[0]>['limits'];

describe('blocks on an SM', () => {
  it('7.1 to 7.4 as many are resident as the calculation gives', () => {
    const kernels = fc.record({
      warps: fc.integer({ min: 1, max: 32 }),
      registersPerThread: fc.integer({ min: 16, max: 255 }),
      dynamicSharedMemory: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 227 * KIB })),
    });
    fc.assert(
      fc.property(kernels, ({ warps, registersPerThread, dynamicSharedMemory }) => {
        const calculated = blocksPerSm(
          { threadsPerBlock: 32 * warps, registersPerThread, sharedMemoryPerBlock: dynamicSharedMemory },
          limits,
        );
        fc.pre(!('error' in calculated));
        const { of } = run((host, p) => {
          const grid = 40 * SMS;
          p.kernel('k', { grid, block: 32 * warps, registersPerThread, dynamicSharedMemory, phases: [spin('20us')] });
          host.launchKernel('k', 's', undefined, { label: 'run' });
        });
        expect([of('run').sms, of('run').maxBlocksPerSm]).toEqual([SMS, calculated.blocksPerSm]);
      }),
      { numRuns: 30 },
    );
  });

  it('7.4 a kernel that takes every register of an SM overlaps with nothing', () => {
    const { overlap, of } = run((host, p) => {
      p.kernel('all', { grid: SMS, block: 1024, registersPerThread: 64, phases: [spin('50us')] });
      p.kernel('other', { grid: 1, block: 32, phases: [spin('1us')] });
      host.launchKernel('all', 's', undefined, { label: 'a' });
      host.launchKernel('other', 't', undefined, { label: 'b' });
    });
    expect(overlap('a', 'b')).toBe(false);
    expect(of('b').cause).toMatchObject({ kind: 'resources', detail: expect.stringContaining('registers') });
  });

  it('7.5 blocks of another carve-out wait until an SM is empty', () => {
    const second = (sharedMemory: number) =>
      run((host, p) => {
        const block = { block: 256, registersPerThread: 26 };
        p.kernel('first', { ...block, grid: SMS, phases: [spin('50us')] });
        p.kernel('second', { ...block, grid: 1, dynamicSharedMemory: sharedMemory, phases: [spin('1us')] });
        host.launchKernel('first', 's', undefined, { label: 'a' });
        host.launchKernel('second', 't', undefined, { label: 'b' });
      });
    expect(second(0).overlap('a', 'b')).toBe(true);
    expect(second(48 * KIB).overlap('a', 'b')).toBe(false);
    expect(second(48 * KIB).of('b').cause).toMatchObject({ kind: 'carveOut' });
  });

  it('7.7 the blocks of a cluster start together, so a cluster waits for room for all of it', () => {
    const clustered = (cluster: number) =>
      run((host, p) => {
        p.kernel('first', filling([spin('50us')], SMS - 3));
        p.kernel('second', { ...filling([spin('1us')], 8), cluster });
        host.launchKernel('first', 's', undefined, { label: 'a' });
        host.launchKernel('second', 't', undefined, { label: 'b' });
      });
    expect(clustered(1).overlap('a', 'b')).toBe(true);
    expect(clustered(8).overlap('a', 'b')).toBe(false);
    expect(clustered(8).of('b').cause).toMatchObject({ kind: 'resources' });
  });

  it('7.7 clusters of more than 16 blocks, of no whole part of the grid, or below 9.0 are refused (912)', () => {
    const code = (grid: number, clusterDimension: readonly number[], machine = H200) =>
      run((host, p) => {
        p.kernel('k', { ...small([spin('1us')]), grid: [grid, 2] });
        host.launchKernel('k', 's', { clusterDimension });
      }, machine).codes;
    expect([code(32, [16]), code(32, [16, 2]), code(10, [4]), code(32, [2], machineByName('a100'))]).toEqual([
      [],
      [912],
      [912],
      [912],
    ]);
  });
});

describe('grids on a device', () => {
  /** So many grids of 100 us, one a stream, with as many hardware queues as there can be. */
  const grids = (count: number) =>
    run(
      (host, p) => {
        p.kernel('k', { ...takes(1000), block: 32 });
        for (let i = 0; i < count; i++) {
          p.stream(`s${i}`, { kind: 'nonBlocking' });
          host.launchKernel('k', `s${i}`, undefined, { label: `g${i}` });
        }
      },
      { ...H200, host: { ...H200.host, maxConnections: 32 } },
    );

  it('7.6 128 are resident at a time, the next waits for one to end and says so', () => {
    const { at, of, overlap } = grids(130);
    expect(overlap('g0', 'g127')).toBe(true);
    for (const id of ['g128', 'g129']) {
      expect(at(id, 'start')).toBeGreaterThan(at('g0', 'end'));
      expect(of(id).waits.map(({ kind }) => kind)).toContain('residentGrids');
    }
  });
});

describe('cooperative launches', () => {
  it('5.14 more blocks than can be resident are refused (720)', () => {
    const { codes } = run((host, p) => {
      p.kernel('fits', filling([gridBarrier()], SMS));
      p.kernel('large', filling([gridBarrier()], SMS + 1));
      host.launchKernel('fits', 's', { cooperative: true });
      host.launchKernel('large', 's', { cooperative: true });
    });
    expect(codes).toEqual([720]);
  });

  /** Kernel `busy` holds most SMs for 100 us, `c` wants one block on each. */
  const beside = (attributes: object) =>
    run((host, p) => {
      p.kernel('busy', filling([spin('100us')], SMS - 32));
      p.kernel('c', { grid: SMS, block: 128, dynamicSharedMemory: WHOLE_SM, phases: [spin('10us')] });
      host.launchKernel('busy', 's', undefined, { label: 'k' });
      host.launchKernel('c', 't', attributes, { label: 'launch' });
    });

  it('[coop-moonep-34] 5.14 a cooperative grid is held until all its blocks fit, a plain one begins block by block', () => {
    const [held, plain] = [beside({ cooperative: true }), beside({})];
    expect(held.at('launch', 'start')).toBeGreaterThan(held.at('k', 'end'));
    expect(held.of('launch').cause).toMatchObject({ kind: 'resources' });
    expect(held.at('launch', 'lastStart') - held.at('launch', 'start')).toBeLessThan(10);
    expect(plain.at('launch', 'start')).toBeLessThan(plain.at('k', 'start') + 20);
    expect(plain.at('launch', 'end')).toBeLessThan(held.at('launch', 'end'));
  });

  it('5.14 an early launch is no way around: the dependent waits for room for all', () => {
    const { at } = run((host, p) => {
      p.kernel('first', filling([{ op: 'trigger' }, spin('50us')], 8));
      p.kernel('second', filling([{ op: 'wait' }, gridBarrier()]));
      host.launchKernel('first', 's', undefined, { label: 'a' });
      host.launchKernel('second', 's', { ...PDL, cooperative: true }, { label: 'b' });
    });
    expect(at('b', 'start')).toBeGreaterThan(at('a', 'end'));
  });
});
