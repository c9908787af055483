import { await_, fma, signal, spin, trigger, wait } from '@griddep/program';
import { describe, expect, it } from 'vitest';
import { filling, PDL, type Run, run, SMS, small } from './rules.fixture.ts';

type Kernel = ReturnType<typeof small>;

/** A primary and a dependent in one stream, the dependent with or without the attribute. */
function pair(primary: Kernel, dependent: Kernel, attributes: object = PDL): Run {
  return run((host, p) => {
    p.kernel('primary', primary);
    p.kernel('dependent', dependent);
    host.launchKernel('primary', 's', undefined, { label: 'a' });
    host.launchKernel('dependent', 's', attributes, { label: 'b' });
  });
}
const waits = small([wait(), spin('5us')]);
const never = small([spin('5us')]);

describe('the trigger', () => {
  it('1.2 an overlap is allowed, not promised: a primary that spins for its dependent ends only if there is room', () => {
    const needs = (primary: typeof small) => {
      return pair(primary([trigger(), await_('go')]), primary([signal('go'), wait()])).timeline.stuck;
    };
    expect(needs(small)).toEqual([]);
    expect(needs(filling)).toContainEqual(expect.stringContaining('waits for flag "go"'));
    const allowed = pair(small([trigger(), await_('go')]), small([signal('go'), wait()]), {});
    expect(allowed.timeline.stuck).toContainEqual(expect.stringContaining('waits for flag "go"'));
  });

  it('1.3 the dependency fires when every block has triggered', () => {
    const all = pair(small([spin('5us'), trigger(), spin('50us')]), waits);
    expect(all.at('b', 'start')).toBeGreaterThan(all.at('a', 'start') + 5);
    expect(all.at('b', 'start')).toBeLessThan(all.at('a', 'start') + 10);
    expect(all.of('b').cause).toMatchObject({ kind: 'trigger' });
  });

  it('1.3 a block that never triggers counts by its exit', () => {
    const ramp = (modulus: number) => ({ op: 'ramp', duration: '10us', modulus }) as const;
    // Blocks of odd index trigger at once; those of even index exit, after 10 or 30 us.
    const some = pair(small([trigger({ modulus: 2, residue: 1 }), ramp(4)]), never);
    const lastEven = some.at('a', 'start') + 30;
    expect(some.at('b', 'start')).toBeGreaterThan(lastEven);
    expect(some.at('b', 'start')).toBeLessThan(lastEven + 4);
    expect(some.at('b', 'start')).toBeLessThan(some.at('a', 'end'));
  });

  it('1.3 the first warp of a block that triggers counts for the block, and repeats do nothing', () => {
    const roles = {
      ...small([]),
      phases: undefined,
      roles: [
        { name: 'early', warps: 1, phases: [trigger(), spin('40us'), trigger()] },
        { name: 'late', phases: [spin('30us'), trigger(), spin('20us'), trigger()] },
      ],
    } as unknown as Kernel;
    const b = pair(roles, never);
    expect(b.at('b', 'start')).toBeLessThan(b.at('a', 'start') + 5);
    const once = pair(small([spin('10us'), trigger(), spin('40us')]), never);
    const twice = pair(small([spin('10us'), trigger(), spin('20us'), trigger(), spin('20us')]), never);
    expect(twice.at('b', 'start')).toBeCloseTo(once.at('b', 'start'), 0);
  });

  it('1.4 with several waves the trigger fires after the last wave has begun, wherever it stands', () => {
    const waves = pair(filling([trigger(), spin('20us')], 3 * SMS), never);
    expect(waves.at('a', 'lastStart')).toBeGreaterThan(waves.at('a', 'start') + 40);
    expect(waves.at('b', 'start')).toBeGreaterThan(waves.at('a', 'lastStart'));
    expect(waves.at('a', 'lastTrigger')).toBeGreaterThan(waves.at('a', 'lastStart'));
  });

  it('1.5, 1.17 without a trigger the dependent starts after the blocks have ended, but before completion would let it', () => {
    const primary = small([spin('20us')]);
    const early = pair(primary, never);
    const full = pair(primary, never, {});
    for (const { of } of [early, full]) expect(of('b').start).toBeGreaterThan(of('a').end);
    expect(early.at('b', 'start') - early.at('a', 'end')).toBeCloseTo(0.96, 0);
    expect(full.at('b', 'start') - full.at('a', 'end')).toBeCloseTo(1.65, 0);
    expect(early.at('b', 'start')).toBeLessThan(full.at('b', 'start'));
  });

  it('1.14 without the attribute the trigger of the primary is ignored', () => {
    const plain = pair(small([trigger(), spin('30us')]), waits, {});
    expect(plain.at('b', 'start')).toBeGreaterThan(plain.at('a', 'completion'));
    expect(plain.of('b').programmatic).toBe(false);
  });

  it('7.12 only dependents that the runtime designated react, a plain edge beside a programmatic one does not', () => {
    const graph = run((host, p) => {
      p.kernel('primary', small([trigger(), spin('30us')]));
      p.kernel('dependent', never);
      const call = (kernel: string) => ({ launchKernel: { kernel, stream: 's' } });
      p.graph(
        'g',
        [
          { id: 'a', call: call('primary') },
          { id: 'early', call: call('dependent') },
          { id: 'plain', call: call('dependent') },
        ],
        [
          ['a', 'early', 'programmatic'],
          ['a', 'plain'],
        ],
      );
      host.graphInstantiate('g', 'x');
      host.graphLaunch('x', 's', { label: 'run' });
    });
    expect(graph.at('run/early', 'start')).toBeLessThan(graph.at('run/a', 'end'));
    expect(graph.at('run/plain', 'start')).toBeGreaterThan(graph.at('run/a', 'completion'));
  });
});

describe('room for the dependent', () => {
  it('1.16 blocks of the primary keep what they have until they exit, so that the dependent starts as they leave', () => {
    const full = pair(filling([trigger(), spin('30us')]), filling([spin('5us')]));
    expect(full.at('b', 'start')).toBeGreaterThan(full.at('a', 'start') + 30);
    expect(full.of('b').cause).toMatchObject({ kind: 'resources', detail: `sharedMemory on ${SMS} SMs` });
  });

  it('1.16 dependents that wait hold what they have, so that other streams find no room', () => {
    const third = (attributes: object) =>
      run((host, p) => {
        p.kernel('primary', small([trigger(), spin('100us')], 1));
        p.kernel('dependent', filling([wait(), spin('1us')], SMS - 1));
        p.kernel('other', filling([spin('1us')], SMS - 1));
        host.launchKernel('primary', 's', undefined, { label: 'a' });
        host.launchKernel('dependent', 's', attributes, { label: 'b' });
        host.hostCompute('20us');
        host.launchKernel('other', 't', undefined, { label: 'c' });
      });
    const [held, free] = [third(PDL), third({})];
    expect(held.at('c', 'start')).toBeGreaterThan(held.at('a', 'end'));
    expect(free.at('c', 'start')).toBeLessThan(free.at('a', 'end'));
  });

  it('7.11 a cluster limits it as well', () => {
    // A cluster of 16 blocks needs as many SMs of one group free at once, which a primary on every SM leaves nowhere.
    const clustered = (cluster: number) =>
      pair(filling([trigger(), spin('30us')], SMS - 8), { ...filling([spin('5us')], 16), cluster } as Kernel);
    const [single, whole] = [clustered(1), clustered(16)];
    expect(single.at('b', 'start')).toBeLessThan(single.at('a', 'end'));
    expect(whole.at('b', 'start')).toBeGreaterThan(whole.at('a', 'start') + 30);
  });

  it('7.13 a saturated device gains latency at the boundary, and nothing of the work', () => {
    const chain = (attributes: object) =>
      run((host, p) => {
        p.kernel('work', filling([wait(), trigger(), fma(20_000)]));
        for (let i = 0; i < 4; i++) host.launchKernel('work', 's', attributes, { label: `k${i}` });
      });
    const total = (r: Run) => r.at('k3', 'end') - r.at('k0', 'start');
    const [early, plain] = [total(chain(PDL)), total(chain({}))];
    const alone = chain({}).at('k0', 'end') - chain({}).at('k0', 'start');
    expect(early).toBeLessThan(plain);
    expect(early).toBeGreaterThan(4 * alone);
    expect(plain - early).toBeLessThan(3 * 2);
  });
});
