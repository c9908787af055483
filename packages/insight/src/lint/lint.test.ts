import { machineByName } from '@griddep/machine';
import { programBuilder, trigger, wait } from '@griddep/program';
import { describe, expect, it } from 'vitest';
import { checkHazards } from '../check.ts';
import { check as checkHazardsOf, PDL, R, type Setup, W } from '../checked.fixture.ts';

/** Kinds of what is legal and rarely meant, in alphabetical order. */
function lint(make: (setup: Setup) => void): string[] {
  return checkHazardsOf(make)
    .filter(({ verdict }) => verdict === 'lint')
    .map(({ kind }) => kind)
    .sort();
}

const pair =
  (between: (setup: Setup) => void, first = [trigger(), W('a')], second = [wait(), R('a')]) =>
  (setup: Setup): void => {
    setup.kernel('k1', ...first);
    setup.kernel('k2', ...second);
    setup.host.launchKernel('k1', 's');
    between(setup);
    setup.host.launchKernel('k2', 's', PDL);
  };

describe('lint', () => {
  it('1.12, 1.5 an early launch whose kernel has no wait, or whose primary has no trigger', () => {
    expect(lint(pair(() => {}))).toEqual([]);
    expect(lint(pair(() => {}, [trigger(), W('a')], [R('b')]))).toEqual(['attribute-without-wait']);
    expect(lint(pair(() => {}, [W('a')]))).toEqual(['no-trigger']);
  });

  it('1.15 what stands between the two kernels, or that nothing does', () => {
    expect(lint(pair(({ host }) => host.eventRecord('e', 's')))).toEqual([]);
    expect(
      lint(
        pair(({ p, host }) => {
          p.event('timed');
          host.eventRecord('timed', 's');
        }),
      ),
    ).toEqual(['broken-early-launch', 'unmeasured-timing']);
    expect(lint(pair(({ host }) => host.memsetAsync(64, 's', { destination: 'b' })))).toEqual(['broken-early-launch']);
    const alone = ({ host, kernel }: Setup): void => {
      kernel('k', wait());
      host.launchKernel('k', 's', PDL);
    };
    expect(lint(alone)).toEqual(['nothing-to-overlap']);
  });

  it('1.4 a trigger in a kernel of several waves', () => {
    const waves =
      (grid: number) =>
      ({ p, host }: Setup): void => {
        p.kernel('many', { grid, block: 1024, phases: [trigger(), W('a')] });
        p.kernel('next', { grid: 16, block: 256, phases: [wait(), R('a')] });
        host.launchKernel('many', 's');
        host.launchKernel('next', 's', PDL);
      };
    expect(lint(waves(264))).toEqual([]);
    expect(lint(waves(265))).toEqual(['trigger-in-waves']);
  });

  it('1.1 the attribute below compute capability 9.0', () => {
    const p = programBuilder('old');
    p.stream('s');
    p.kernel('k', { grid: 1, block: 32, phases: [wait()] });
    p.hostThread().launchKernel('k', 's', PDL);
    const { findings } = checkHazards(p.build(), machineByName('a100'));
    expect(findings.map(({ kind }) => kind)).toEqual(['attribute-below-capability']);
  });

  it('5.5, 5.7 events that nobody records or measures', () => {
    expect(lint(({ host }) => host.streamWaitEvent('s', 'e'))).toEqual(['unrecorded-event']);
    const timed =
      (measures: boolean) =>
      ({ p, host, kernel }: Setup): void => {
        kernel('k', W('a'));
        for (const name of ['from', 'to']) p.event(name);
        host.eventRecord('from', 's');
        host.launchKernel('k', 's');
        host.eventRecord('to', 's');
        host.streamSynchronize('s');
        if (measures) host.eventElapsedTime('from', 'to');
      };
    expect(lint(timed(false))).toEqual(['unmeasured-timing', 'unmeasured-timing']);
    expect(lint(timed(true))).toEqual([]);
  });

  it('5.11, 5.1 more streams than queues, and the legacy stream among blocking ones', () => {
    const many =
      (count: number) =>
      ({ p, host, kernel }: Setup): void => {
        kernel('k', W('a'));
        for (let i = 0; i < count; i++) p.stream(`q${i}`, { kind: 'nonBlocking' });
        for (let i = 0; i < count; i++) host.memsetAsync(64, `q${i}`);
      };
    expect(lint(many(8))).toEqual([]);
    expect(lint(many(9))).toEqual(['more-streams-than-queues']);
    const legacy =
      (kind: 'blocking' | 'nonBlocking') =>
      ({ p, host }: Setup): void => {
        p.stream('legacy');
        p.stream('own', { kind });
        host.memsetAsync(64, 'own');
        host.memsetAsync(64, 'legacy');
      };
    expect(lint(legacy('nonBlocking'))).toEqual([]);
    expect(lint(legacy('blocking'))).toEqual(['legacy-among-blocking']);
  });

  it('6.4, 7.15 pageable memory in an asynchronous copy, and a synchronisation with more than is needed', () => {
    const download =
      (memory: 'pinned' | 'pageable', coarse: boolean) =>
      ({ host, kernel }: Setup): void => {
        kernel('k', W('b'));
        const destination = memory === 'pinned' ? 'h' : 'pageable';
        host.memcpyAsync('deviceToHost', '64KiB', 's', { source: 'a', destination, hostMemory: memory });
        host.launchKernel('k', 't');
        if (coarse) host.deviceSynchronize();
        else host.streamSynchronize('s');
        host.hostRead(destination);
        host.launchKernel('k', 't');
      };
    expect(lint(download('pinned', false))).toEqual([]);
    expect(lint(download('pageable', false))).toEqual(['pageable-async-copy']);
    expect(lint(download('pinned', true))).toEqual(['coarse-synchronisation']);
  });
});
