import { type Machine, machineByName } from '@griddep/machine';
import { type KernelInput, type Program, programBuilder, spin, trigger } from '@griddep/program';
import { simulate } from '@griddep/simulator';
import { describe, expect, it } from 'vitest';
import { why } from './why.ts';

const h200 = machineByName('h200');
const BIG: KernelInput = { grid: 264, block: 256, registersPerThread: 16, phases: [spin('30us')] };
const SMALL: KernelInput = { grid: 132, block: 256, registersPerThread: 16, phases: [spin('5us')] };

/** Two kernels of two streams, the second held up by the first. */
function pair(first: Partial<KernelInput>, second: Partial<KernelInput>, priority = 0): Program {
  const p = programBuilder('pair');
  p.kernel('first', { ...BIG, ...first } as KernelInput);
  p.kernel('second', { ...SMALL, ...second } as KernelInput);
  const [a, b] = [p.stream('a', { kind: 'nonBlocking', priority }), p.stream('b', { kind: 'nonBlocking' })];
  const host = p.hostThread('main');
  host.launchKernel('first', a, {}, { label: 'first' });
  host.launchKernel('second', b, {}, { label: 'second' });
  host.deviceSynchronize();
  return p.build();
}

function startIn(program: Program, machine: Machine = h200): number {
  return simulate(program, machine).operations.find(({ id }) => id === 'second')?.start ?? Number.NaN;
}

function earliest(program: Program, constraint: string): number {
  const found = why(program, h200, 'second').removals.find((each) => each.constraint === constraint);
  return found?.earliest ?? Number.NaN;
}

describe('lifting a constraint is what a program or a machine without it does', () => {
  it('1.16, 7.1 registers', () => {
    const full = { grid: 132, block: 1024, registersPerThread: 48 };
    const held = pair(full, { registersPerThread: 80 });
    expect(earliest(held, 'registers')).toBe(startIn(pair(full, { registersPerThread: 16 })));
  });

  it('1.16, 7.1 threads', () => {
    const held = pair({ grid: 264, block: 1024 }, {});
    expect(earliest(held, 'threads')).toBe(startIn(pair({ grid: 132, block: 1024 }, {})));
  });

  it('1.16, 7.1 block slots', () => {
    const held = pair({ grid: 132 * 32, block: 32 }, {});
    expect(earliest(held, 'blocks')).toBe(startIn(pair({ grid: 132 * 31, block: 32 }, {})));
  });

  it('7.5 shared memory', () => {
    const first = { grid: 132, dynamicSharedMemory: '200KiB' as const };
    const held = pair(first, { dynamicSharedMemory: '60KiB' });
    expect(earliest(held, 'sharedMemory')).toBe(startIn(pair(first, { dynamicSharedMemory: '8KiB' })));
  });

  it('5.10 a grid that goes first', () => {
    const program = (priority: number) => {
      const p = programBuilder('priority');
      p.kernel('filling', { ...BIG, grid: 264, block: 1024 });
      p.kernel('urgent', { ...BIG, grid: 264, block: 1024 });
      p.kernel('second', SMALL);
      const names = ['a', 'b', 'c'].map((name, i) =>
        p.stream(name, { kind: 'nonBlocking', priority: i === 1 ? -3 : i === 2 ? priority : 0 }),
      );
      const host = p.hostThread('main');
      for (const [i, kernel] of ['filling', 'urgent', 'second'].entries()) {
        host.launchKernel(kernel, names[i] ?? 'a', {}, { label: kernel });
      }
      host.deviceSynchronize();
      return p.build();
    };
    expect(earliest(program(0), 'priority')).toBe(startIn(program(-5)));
  });

  it('5.4 an event', () => {
    const program = (recorded: boolean) => {
      const p = programBuilder('event');
      p.kernel('first', BIG);
      p.kernel('second', SMALL);
      const [a, b] = [p.stream('a', { kind: 'nonBlocking' }), p.stream('b', { kind: 'nonBlocking' })];
      const [done, never] = [p.event('done', { timing: false }), p.event('never', { timing: false })];
      const host = p.hostThread('main');
      host.launchKernel('first', a);
      host.eventRecord(done, a);
      host.streamWaitEvent(b, recorded ? done : never);
      host.launchKernel('second', b, {}, { label: 'second' });
      host.deviceSynchronize();
      return p.build();
    };
    const without = startIn(program(false));
    expect(Math.abs(earliest(program(true), 'event') - without)).toBeLessThan(100_000);
    expect(startIn(program(true)) - without).toBeGreaterThan(20_000_000);
  });

  it('1.3 a trigger', () => {
    const program = (early: boolean) => {
      const p = programBuilder('trigger');
      p.kernel('first', { ...BIG, grid: 132, phases: early ? [trigger(), spin('30us')] : [spin('30us'), trigger()] });
      p.kernel('second', SMALL);
      const s = p.stream('s', { kind: 'nonBlocking' });
      const host = p.hostThread('main');
      host.launchKernel('first', s);
      host.launchKernel('second', s, { programmaticStreamSerialization: true }, { label: 'second' });
      host.deviceSynchronize();
      return p.build();
    };
    const without = startIn(program(true));
    expect(Math.abs(earliest(program(false), 'trigger') - without)).toBeLessThan(500_000);
  });

  it('5.1 the legacy stream', () => {
    const program = (kind: 'blocking' | 'nonBlocking') => {
      const p = programBuilder('legacy');
      p.kernel('first', BIG);
      p.kernel('second', SMALL);
      const b = p.stream('b', { kind });
      const host = p.hostThread('main');
      host.launchKernel('first', 'legacy');
      host.launchKernel('second', b, {}, { label: 'second' });
      host.deviceSynchronize();
      return p.build();
    };
    expect(earliest(program('blocking'), 'legacyStream')).toBe(startIn(program('nonBlocking')));
  });

  it('6.11 a turn on the engine', () => {
    const p = programBuilder('engine');
    const [a, b] = [p.stream('a', { kind: 'nonBlocking' }), p.stream('b', { kind: 'nonBlocking' })];
    const host = p.hostThread('main');
    host.memcpyAsync('hostToDevice', '16MiB', a, { hostMemory: 'pinned' });
    host.memcpyAsync('hostToDevice', '1MiB', b, { hostMemory: 'pinned', label: 'second' });
    host.deviceSynchronize();
    const program = p.build();
    expect(earliest(program, 'engine')).toBe(startIn(program, withLimits({ copyEnginesUp: 2 })));
  });

  it('5.11 the limit of resident grids', () => {
    const p = programBuilder('resident');
    p.kernel('long', { grid: 1, block: 32, phases: [spin('400us')] });
    p.kernel('second', { grid: 1, block: 32, phases: [spin('5us')] });
    const host = p.hostThread('main');
    for (let i = 0; i < 8; i++) {
      p.stream(`s${i}`, { kind: 'nonBlocking' });
      host.launchKernel(i < 7 ? 'long' : 'second', `s${i}`, {}, { label: i < 7 ? `long ${i}` : 'second' });
    }
    host.deviceSynchronize();
    const program = p.build();
    const few = withLimits({ residentGrids: 7 });
    const found = why(program, few, 'second').removals.find(({ constraint }) => constraint === 'residentGrids');
    expect(found?.earliest).toBe(startIn(program));
    expect(found?.gain).toBeGreaterThan(300_000_000);
  });

  it('5.11 another stream at the head of the hardware queue', () => {
    const p = programBuilder('queues');
    p.kernel('long', BIG);
    p.kernel('second', SMALL);
    const [a, b] = [p.stream('a', { kind: 'nonBlocking' }), p.stream('b', { kind: 'nonBlocking' })];
    const host = p.hostThread('main');
    host.launchKernel('long', a);
    host.launchKernel('long', a);
    host.launchKernel('second', b, {}, { label: 'second' });
    host.deviceSynchronize();
    const program = p.build();
    const one = { ...h200, host: { ...h200.host, maxConnections: 1 } };
    const found = why(program, one, 'second').removals.find(({ constraint }) => constraint === 'hardwareQueue');
    expect(Math.abs((found?.earliest ?? 0) - startIn(program))).toBeLessThan(2_000_000);
    expect(found?.gain).toBeGreaterThan(20_000_000);
  });
});

function withLimits(limits: Partial<Machine['devices'][number]['limits']>): Machine {
  return { ...h200, devices: h200.devices.map((device) => ({ ...device, limits: { ...device.limits, ...limits } })) };
}
