import { describe, expect, it } from 'vitest';
import {
  fma,
  gridBarrier,
  type HostThreadBuilder,
  programBuilder,
  programWarnings,
  readProgram,
  spin,
  trigger,
  wait,
  warningText,
} from './index.ts';

function warningsOf(act: (host: HostThreadBuilder, p: ReturnType<typeof programBuilder>) => void): string[] {
  const p = programBuilder('p');
  const size = { grid: 8, block: 64 };
  p.kernel('plain', { ...size, phases: [spin('1us')] });
  p.kernel('full', { ...size, phases: [trigger(), wait(), fma(1)] });
  p.kernel('meets', { ...size, phases: [gridBarrier()] });
  p.stream('s', { kind: 'nonBlocking' });
  p.event('e', { timing: false });
  p.event('timed');
  act(p.hostThread(), p);
  return programWarnings(p.build()).map(warningText);
}
const early = { programmaticStreamSerialization: true };

describe('programWarnings', () => {
  it('tells of a duration whose unit was forgotten', () => {
    const found = warningsOf((_, p) => p.kernel('short', { grid: 1, block: 32, phases: [spin(3), spin(0), fma(1)] }));
    expect(found).toEqual([
      'kernels.short: kernel "short" waits 3 ps, less than a clock cycle: a duration without a unit is in picoseconds',
    ]);
  });

  it('[peer-llama-4602] 6.10 tells of peer access that is taken away while copies may be under way', () => {
    const toggled = (synchronise: (host: HostThreadBuilder) => void) =>
      warningsOf((host, p) => {
        p.stream('far', { device: 1, kind: 'nonBlocking' });
        p.event('copied', { timing: false });
        host.deviceEnablePeerAccess(1);
        host.memcpyPeerAsync(1, 0, 4096, 's');
        host.memcpyPeerAsync(1, 0, 4096, 'far');
        synchronise(host);
        host.deviceDisablePeerAccess(1);
        host.memcpyPeerAsync(1, 0, 4096, 's');
      });
    const warning = (streams: string) =>
      `access between devices 0 and 1 is changed while copies between them in ${streams} may be under way: synchronise both devices first (rule 6.10)`;
    expect(toggled(() => {})).toEqual([`call 3 of host thread "main": ${warning('streams "s", "far"')}`]);
    // One device alone leaves the copies that the other carries out.
    expect(toggled((host) => host.deviceSynchronize())).toEqual([
      `call 4 of host thread "main": ${warning('stream "far"')}`,
    ]);
    const both = (host: HostThreadBuilder) => {
      for (const device of [1, 0]) {
        host.setDevice(device);
        host.deviceSynchronize();
      }
    };
    expect(toggled(both)).toEqual([]);
    const streams = (host: HostThreadBuilder) => {
      host.eventRecord('copied', 's');
      host.eventSynchronize('copied');
      host.streamSynchronize('far');
    };
    expect(toggled(streams)).toEqual([]);
  });

  it('tells of a capture that never ends', () => {
    const found = warningsOf((host) => {
      host.streamBeginCapture('s');
      host.launchKernel('plain', 's');
      host.streamEndCapture('s', 'g');
      host.streamBeginCapture('s');
      host.launchKernel('plain', 's');
    });
    expect(found).toEqual([
      'call 3 of host thread "main": the capture of stream "s" never ends: what it recorded does not run',
    ]);
  });

  it('5.22 tells of work in the legacy stream that a non-blocking capture misses, not where CUDA returns an error', () => {
    const beside = (kind: 'nonBlocking' | 'blocking', stream: string) =>
      warningsOf((host, p) => {
        p.stream('captures', { kind });
        host.launchKernel('plain', 'legacy');
        host.streamBeginCapture('captures');
        host.launchKernel('plain', stream);
        host.streamEndCapture('captures', 'g');
        host.launchKernel('plain', 'legacy');
      });
    expect(beside('nonBlocking', 'legacy')).toEqual([
      'call 2 of host thread "main": work in the legacy stream "legacy" while stream "captures", a non-blocking one, captures: it runs at once and is not captured (rule 5.22)',
    ]);
    expect(beside('blocking', 'legacy')).toEqual([]);
    expect(beside('nonBlocking', 's')).toEqual([]);
  });

  it('tells of a wait for an event that nobody has recorded yet', () => {
    const found = warningsOf((host) => {
      for (let i = 0; i < 3; i++) host.streamWaitEvent('s', 'timed');
      host.eventRecord('e', 's');
      host.streamWaitEvent('s', 'e');
    });
    expect(found).toEqual([
      'call 0 of host thread "main": stream "s" waits for event "timed", which is not recorded yet: legal, and waits for nothing; and 2 more alike (rule 5.5)',
    ]);
  });

  it('says nothing where another thread, a launch or a graph records the event', () => {
    const found = warningsOf((host, p) => {
      p.event('made', { timing: false });
      p.graph('g', [{ id: 'record', call: { eventRecord: { event: 'made', stream: 's' } } }]);
      host.streamWaitEvent('s', 'made');
      host.streamWaitEvent('s', 'e');
      p.hostThread('other').eventRecord('e', 's');
    });
    expect(found).toEqual([]);
  });

  it('1.5, 1.12, 1.13 tells of early launches without wait, and after a kernel without trigger', () => {
    const found = warningsOf((host) => {
      host.launchKernel('full', 's', early);
      host.launchKernel('plain', 's', early, { label: 'second' });
      host.launchKernel('full', 's', early);
      host.launchKernel('full', 's', early);
    });
    expect(found).toEqual([
      expect.stringMatching(
        /^call 1 \("second"\) .*"plain" may start before "full" ends and has no wait: .*\(rule 1\.12\)$/,
      ),
      expect.stringMatching(/^call 2 of .*"plain" has no trigger: .*\(rule 1\.5\)$/),
    ]);
  });

  it('says nothing of launches that are not early, or that another thread may come between', () => {
    const found = warningsOf((host, p) => {
      host.launchKernel('plain', 's');
      host.launchKernel('plain', 's');
      host.eventRecord('timed', 's');
      host.launchKernel('plain', 's', early);
      p.stream('shared');
      for (const each of [host, p.hostThread('other')]) {
        each.launchKernel('plain', 'shared', early);
        each.launchKernel('plain', 'shared', early);
      }
    });
    expect(found).toEqual([]);
  });

  it('looks through an event without timing, as hardware does', () => {
    const found = warningsOf((host) => {
      host.launchKernel('full', 's');
      host.eventRecord('e', 's');
      host.launchKernel('plain', 's', early);
    });
    expect(found).toHaveLength(1);
  });

  it('takes programmatic edges of graphs as early launches', () => {
    const found = warningsOf((_, p) => {
      const node = (id: string, kernel: string) => ({ id, call: { launchKernel: { kernel, stream: 's' } } });
      p.graph(
        'g',
        [node('a', 'plain'), node('b', 'full'), node('c', 'plain')],
        [
          ['a', 'b', 'programmatic'],
          ['b', 'c', 'programmatic'],
          ['a', 'c'],
        ],
      );
    });
    expect(found.map((text) => text.replace(/:.*\(/, ' ('))).toEqual([
      'graphs.g.edges[0] (rule 1.5)',
      'graphs.g.edges[1] (rule 1.12)',
    ]);
  });

  it('tells of grid barriers in plain launches', () => {
    const found = warningsOf((host) => {
      host.launchKernel('meets', 's', { cooperative: true });
      host.launchKernel('meets', 's');
    });
    expect(found).toEqual([expect.stringMatching(/^call 1 .*not launched cooperative.*\(rule 5\.14\)$/)]);
  });

  it('tells of asynchronous copies of pageable memory, and of durations that others than the blocks measured', () => {
    const found = warningsOf((host, p) => {
      p.kernel('traced', { grid: 1, block: 32, duration: '5us', observer: 'profiler' });
      host.memcpyAsync('hostToDevice', '1KiB', 's');
      host.memcpyAsync('hostToDevice', '1KiB', 's', { hostMemory: 'pinned' });
      host.memcpyAsync('deviceToDevice', '1KiB', 's');
      host.memcpy('hostToDevice', '1KiB');
    });
    expect(found).toEqual([
      expect.stringMatching(/^kernels\.traced: .*what the profiler saw.*simulated as the time of the blocks$/),
      expect.stringMatching(/^call 0 .*pageable.*\(rule 6\.4\)$/),
    ]);
  });

  it('tells of members of a collective that call another one, or another size', () => {
    const p = programBuilder('mismatch');
    const host = p.hostThread('main');
    for (const device of [0, 1]) {
      p.stream(`s${device}`, { device });
      host.setDevice(device);
      host.collective('allReduce', 'g', '1KiB', `s${device}`);
      host.collective(device === 0 ? 'allReduce' : 'broadcast', 'g', '1KiB', `s${device}`);
      host.collective('allGather', 'g', device === 0 ? '1KiB' : '2KiB', `s${device}`);
    }
    expect(programWarnings(p.build()).map(warningText)).toEqual([
      expect.stringMatching(
        /^call 6 .*: collective 2 of group "g" is allReduce of 1024 bytes on device 0 and broadcast of 1024 bytes on device 1/,
      ),
      expect.stringMatching(
        /^call 7 .*: collective 3 of group "g" is allGather of 1024 bytes on device 0 and allGather of 2048 bytes/,
      ),
    ]);
  });

  it('places what a file says', () => {
    const text =
      'schema: griddep/program@1\nstreams: [s]\nevents: [e]\ncalls:\n  - streamWaitEvent: { stream: s, event: e }\n';
    expect(programWarnings(readProgram(text, { file: 'p.yaml' }))[0]?.place).toBe('p.yaml:5:5');
  });
});
