import { fence, spin, trigger, wait } from '@griddep/program';
import { describe, expect, it } from 'vitest';
import { check, PDL, R, type Setup, unsafe, W } from '../checked.fixture.ts';

/** Captures what is enqueued in `s` as the executable `x`. */
function captured({ host }: Setup, executable: string, enqueue: () => void): void {
  host.streamBeginCapture('s');
  enqueue();
  host.streamEndCapture('s', `graph of ${executable}`);
  host.graphInstantiate(`graph of ${executable}`, executable);
}

describe('races', () => {
  it('4.9 replays of one executable are in order, those of two in two streams are not', () => {
    const made =
      (second: string) =>
      (setup: Setup): void => {
        const { host, kernel } = setup;
        kernel('k', W('a'));
        for (const x of ['x', 'other']) captured(setup, x, () => host.launchKernel('k', 's'));
        host.graphLaunch('x', 's');
        host.graphLaunch(second, 't');
      };
    expect(unsafe(made('x'))).toEqual([]);
    expect(unsafe(made('other'))).toEqual(['race cross-stream a']);
  });

  it('4.9, 4.11 a replay comes after the stream before it and before the stream behind it, early launches or not', () => {
    const made = ({ host, kernel, ...rest }: Setup): void => {
      kernel('k1', trigger(), W('a'));
      kernel('k2', wait(), R('a'), trigger(), W('b'));
      kernel('reads', R('b'), W('a'));
      captured({ host, kernel, ...rest }, 'x', () => {
        host.launchKernel('k1', 's');
        host.launchKernel('k2', 's', PDL);
      });
      host.launchKernel('reads', 's');
      for (let i = 0; i < 3; i++) host.graphLaunch('x', 's');
      host.launchKernel('reads', 's', PDL);
    };
    expect(unsafe(made)).toEqual([]);
  });

  it('4.1 branches of a captured graph that touch the same bytes', () => {
    const made =
      (joins: boolean) =>
      (setup: Setup): void => {
        const { host, kernel } = setup;
        kernel('left', W('a'));
        kernel('right', R('a'));
        captured(setup, 'x', () => {
          host.eventRecord('e', 's');
          host.streamWaitEvent('t', 'e');
          host.launchKernel('left', 's');
          host.eventRecord('e', 's');
          if (joins) host.streamWaitEvent('t', 'e');
          host.launchKernel('right', 't');
          host.eventRecord('f', 't');
          host.streamWaitEvent('s', 'f');
        });
        host.graphLaunch('x', 's');
        host.graphLaunch('x', 's');
      };
    expect(unsafe(made(true))).toEqual([]);
    expect(new Set(unsafe(made(false)))).toEqual(new Set(['race graph-edge a']));
  });

  it('6.1, 6.3 an upload of pageable memory has been read, not written, when the call returns', () => {
    const made =
      (memory: 'pinned' | 'pageable') =>
      ({ p, host, kernel }: Setup): void => {
        p.stream('legacy');
        kernel('use', R('a'));
        const source = memory === 'pinned' ? 'h' : 'pageable';
        host.memcpy('hostToDevice', '64KiB', { source, destination: 'a', hostMemory: memory });
        host.hostWrite(source);
        host.launchKernel('use', 's');
      };
    expect(unsafe(made('pinned'))).toEqual([]);
    expect(unsafe(made('pageable'))).toEqual(['race use-before-copy a']);
    expect(unsafe(made('pageable'), { assume: 'hardware' })).toEqual([]);
  });

  it('6.4 the host writes a pinned buffer that a copy still reads', () => {
    const made =
      (waits: boolean) =>
      ({ host }: Setup): void => {
        host.hostWrite('h');
        host.memcpyAsync('hostToDevice', '64KiB', 's', { source: 'h', destination: 'a', hostMemory: 'pinned' });
        host.eventRecord('e', 's');
        if (waits) host.eventSynchronize('e');
        host.hostWrite('h');
      };
    expect(unsafe(made(true))).toEqual([]);
    expect(unsafe(made(false))).toEqual(['race host-access h']);
  });

  it('6.7 memory that is freed while it is used, which the synchronisation of an H200 hides', () => {
    const made = ({ host, kernel }: Setup): void => {
      kernel('use', W('a'));
      host.launchKernel('use', 's');
      host.free('a');
    };
    expect(unsafe(made)).toEqual(['race free-in-use a']);
    expect(check(made).find(({ verdict }) => verdict === 'race')?.hiddenByHardware).toBe(true);
    expect(unsafe(made, { assume: 'hardware' })).toEqual([]);
  });

  it('3.1, 3.4 an event of a launch attribute says that the kernel has begun', () => {
    const made =
      (attributes: object) =>
      ({ host, kernel }: Setup): void => {
        kernel('make', W('a'));
        kernel('use', R('a'));
        host.launchKernel('make', 's', attributes);
        host.streamWaitEvent('t', 'e');
        host.launchKernel('use', 't');
      };
    expect(unsafe(made({ launchCompletionEvent: { event: 'e' } }))).toEqual(['race programmatic-event a']);
    const programmatic = made({ programmaticEvent: { event: 'e', triggerAtBlockStart: false } });
    expect(unsafe(programmatic)).toEqual(['race no-wait a']);
    // On an H200 such an event was seen to fire at the kernel's end.
    expect(unsafe(programmatic, { assume: 'hardware' })).toEqual([]);
  });

  it('1.20 a load by the read-only path is not held back by the wait', () => {
    const made =
      (proxy: 'generic' | 'nonCoherent') =>
      ({ p, host, kernel }: Setup): void => {
        kernel('make', trigger(), W('a'));
        p.kernel('use', {
          grid: 16,
          block: 256,
          phases: [wait(), spin('1us')],
          accesses: [{ range: 'a', mode: 'read', proxy, phase: 1 }],
        });
        host.launchKernel('make', 's');
        host.launchKernel('use', 's', PDL);
      };
    expect(unsafe(made('generic'))).toEqual([]);
    expect(unsafe(made('nonCoherent'))).toEqual(['race non-coherent-load a']);
  });

  it('1.18 code for an older target has no wait, whatever the source says', () => {
    const made =
      (target: string) =>
      ({ p, host, kernel }: Setup): void => {
        kernel('make', W('a'));
        p.kernel('use', { grid: 16, block: 256, target, phases: [wait(), R('a')] });
        host.launchKernel('make', 's');
        host.launchKernel('use', 's', PDL);
      };
    expect(unsafe(made('sm_90'))).toEqual([]);
    expect(unsafe(made('sm_80'))).toEqual(['race no-wait a']);
  });

  it('1.10 the wait of one role holds for another behind a barrier', () => {
    const made =
      (barrier: boolean) =>
      ({ p, host, kernel }: Setup): void => {
        const meet = barrier ? [{ op: 'blockBarrier' as const }] : [];
        kernel('make', W('a'));
        p.kernel('use', {
          grid: 16,
          block: 256,
          roles: [
            { name: 'one', warps: 1, phases: [wait(), ...meet] },
            { name: 'rest', phases: [...meet, R('a')] },
          ],
        });
        host.launchKernel('make', 's');
        host.launchKernel('use', 's', PDL);
      };
    expect(unsafe(made(true))).toEqual([]);
    expect(unsafe(made(false))).toEqual(['race role-without-wait a']);
  });

  it('5.4 what an event of another thread stands for has to be certain', () => {
    const made =
      (signals: boolean) =>
      ({ p, host, kernel }: Setup): void => {
        kernel('make', W('a'));
        kernel('use', R('a'));
        const other = p.hostThread('other');
        host.launchKernel('make', 's');
        host.eventRecord('e', 's');
        if (signals) {
          host.hostSignal('recorded');
          other.hostAwait('recorded');
        }
        other.streamWaitEvent('t', 'e');
        other.launchKernel('use', 't');
      };
    expect(unsafe(made(true))).toEqual([]);
    expect(unsafe(made(false))).toEqual(['race cross-stream a', 'race open-record']);
  });

  it('1.7 a fence of the block, or one behind the barrier of one warp, publishes what its scope says', () => {
    const made =
      (scope: 'block' | 'device', block: number) =>
      ({ p, host, kernel }: Setup): void => {
        p.kernel('make', { grid: 16, block, phases: [W('a'), fence(scope), trigger()] });
        kernel('use', R('a'));
        host.launchKernel('make', 's');
        host.launchKernel('use', 's', PDL);
      };
    expect(unsafe(made('device', 32))).toEqual(['relies on fence and trigger no-wait a']);
    expect(unsafe(made('device', 64))).toEqual(['race no-wait a']);
    expect(unsafe(made('block', 32))).toEqual(['race no-wait a']);
  });
});
