import { spin, trigger, wait } from '@griddep/program';
import { describe, expect, it } from 'vitest';
import { PDL, type Run, run, small } from './rules.fixture.ts';

type Kernels = Readonly<Record<string, ReturnType<typeof small>>>;

/** Kernels launched one after another in a stream, all but the first with the attribute, and what follows them. */
function chain(kernels: Kernels, then: Parameters<typeof run>[0] = () => {}): Run {
  return run((host, p) => {
    for (const [i, [name, kernel]] of Object.entries(kernels).entries()) {
      p.kernel(name, kernel);
      host.launchKernel(name, 's', i === 0 ? {} : PDL, { label: name });
    }
    then(host, p);
  });
}
const primary = small([trigger(), spin('50us')]);
const waits = small([wait(), spin('5us')]);
const never = small([trigger(), spin('5us')]);

describe('the wait', () => {
  it('1.8 returns after the primary has completed, not at its trigger', () => {
    const { at, released } = chain({ a: primary, b: waits });
    expect(at('b', 'start')).toBeLessThan(at('a', 'start') + 5);
    expect(released('b')).toBeGreaterThan(at('a', 'completion'));
    expect(released('b')).toBeLessThan(at('a', 'completion') + 2);
  });

  it('1.8 what stands before it runs beside the primary, what stands after it does not', () => {
    const { at } = chain({ a: primary, b: small([spin('30us'), wait(), spin('20us')]) });
    expect(at('b', 'end')).toBeGreaterThan(at('a', 'completion') + 20);
    expect(at('b', 'end')).toBeLessThan(at('a', 'completion') + 24);
  });

  it('1.9, 2.4 with a kernel between that never waits, completion is in order: the wait covers the first as well', () => {
    const { at, released } = chain({ a: primary, b: never, c: waits });
    expect(at('b', 'end')).toBeLessThan(at('a', 'end'));
    expect(at('b', 'completion')).toBeGreaterThanOrEqual(at('a', 'completion'));
    expect(released('c')).toBeGreaterThan(at('a', 'completion'));
  });

  it('1.10 is per thread: warps that do not wait go on, until a barrier makes them', () => {
    const dependent = (barrier: boolean) =>
      ({
        grid: 8,
        block: 128,
        roles: [
          { name: 'waiter', warps: 1, phases: [wait(), ...(barrier ? [{ op: 'blockBarrier' }] : [])] },
          { name: 'others', phases: [...(barrier ? [{ op: 'blockBarrier' }] : []), { op: 'signal', flag: 'went on' }] },
        ],
      }) as unknown as ReturnType<typeof small>;
    const free = (barrier: boolean) =>
      chain({ a: small([trigger(), spin('50us')]), b: dependent(barrier) }, (host, p) => {
        p.kernel('after', small([{ op: 'await', flag: 'went on' }], 1));
        host.launchKernel('after', 't', undefined, { label: 'seen' });
      });
    const [alone, behind] = [free(false), free(true)];
    expect(alone.at('seen', 'end')).toBeLessThan(alone.at('a', 'end'));
    expect(behind.at('seen', 'end')).toBeGreaterThan(behind.at('a', 'end'));
  });

  it('1.11 without a programmatic prerequisite it does nothing, and never needs a trigger', () => {
    const alone = run((host, p) => {
      p.kernel('b', waits);
      host.launchKernel('b', 's', PDL, { label: 'first' });
      host.launchKernel('b', 's', {}, { label: 'plain' });
    });
    expect(alone.timeline.stuck).toEqual([]);
    for (const id of ['first', 'plain']) expect(alone.at(id, 'end') - alone.at(id, 'start')).toBeLessThan(7);
    const untriggered = chain({ a: small([spin('20us')]), b: waits });
    expect(untriggered.timeline.stuck).toEqual([]);
    expect(untriggered.released('b')).toBeGreaterThan(untriggered.at('a', 'completion'));
  });

  it('1.12 a dependent that never waits ends before its primary, and what follows in the stream waits for both', () => {
    const then: Parameters<typeof run>[0] = (host, p) => {
      p.event('e', { timing: false });
      p.kernel('c', small([spin('1us')]));
      host.eventRecord('e', 's', { label: 'event' });
      host.memcpyAsync('hostToDevice', 1 << 20, 's', { hostMemory: 'pinned', label: 'copy' });
      host.launchKernel('c', 's', undefined, { label: 'plain' });
    };
    const { at } = chain({ a: primary, b: never }, then);
    expect(at('b', 'end')).toBeLessThan(at('a', 'end'));
    expect(at('event', 'completion')).toBeGreaterThanOrEqual(at('a', 'completion'));
    expect(at('copy', 'start')).toBeGreaterThan(at('a', 'completion'));
    expect(at('plain', 'start')).toBeGreaterThan(at('a', 'completion'));
  });
});

describe('between the two kernels', () => {
  /** Whether the dependent starts before the primary ends with something between them in the stream. */
  const early = (between: Parameters<typeof run>[0]): boolean => {
    const { at } = run((host, p) => {
      p.kernel('a', primary);
      p.kernel('waits', waits);
      p.event('plain', { timing: false });
      p.event('timed');
      p.event('other', { timing: false });
      host.eventRecord('other', 't');
      host.launchKernel('a', 's', undefined, { label: 'a' });
      between(host, p);
      host.launchKernel('waits', 's', PDL, { label: 'b' });
    });
    return at('b', 'start') < at('a', 'end');
  };

  it.each<[string, boolean, Parameters<typeof run>[0]]>([
    ['nothing', true, () => {}],
    ['a record without timing', true, (host) => host.eventRecord('plain', 's')],
    ['work of another stream', true, (host) => host.launchKernel('waits', 't')],
    ['a record with timing', false, (host) => host.eventRecord('timed', 's')],
    ['a wait for an event', false, (host) => host.streamWaitEvent('s', 'other')],
    ['a copy', false, (host) => host.memcpyAsync('hostToDevice', 4096, 's', { hostMemory: 'pinned' })],
    ['a memset', false, (host) => host.memsetAsync(4096, 's')],
    ['a host function', false, (host) => host.launchHostFunc('s', '1us')],
  ])('1.15 with %s between them the dependent is early: %s', (_, expected, between) => {
    expect(early(between)).toBe(expected);
  });
});
