import { describe, expect, test } from 'vitest';
import { command, HOST, play } from './runtime.fixture.ts';

describe('collectives', () => {
  test('the members of a group are the devices whose streams call it; each counts its own calls', () => {
    const played = play((host) => {
      host.collective('allReduce', 'g', 64, 'a');
      host.collective('broadcast', 'g', 64, 'n');
      host.collective('allReduce', 'other', 64, 'a');
      host.setDevice(1);
      host.collective('allReduce', 'g', 64, 'far');
    });
    const meetings = [0, 1, 2, 4].map((call) => command(played, call, 'collective').rendezvous);
    expect(meetings.map(({ sequence }) => sequence)).toEqual([0, 1, 0, 0]);
    expect(meetings.map(({ ranks }) => ranks)).toEqual([[0, 1], [0, 1], [0], [0, 1]]);
    expect(played.issued[0]?.cost).toBe(HOST.launchKernel);
  });

  test('kernels that are collectives count with the calls, and so do the launches of graphs', () => {
    const played = play((host, program) => {
      program.kernel('c', { grid: 8, block: 512, collective: { operation: 'allGather', group: 'g', bytes: 64 } });
      host.streamBeginCapture('a');
      host.collective('allReduce', 'g', 64, 'a');
      host.launchKernel('c', 'a');
      host.streamEndCapture('a', 'graph');
      host.graphInstantiate('graph', 'x');
      host.launchKernel('c', 'n');
      host.graphLaunch('x', 'a');
      host.graphLaunch('x', 'a');
    });
    expect(command(played, 5, 'kernel').rendezvous?.sequence).toBe(0);
    const sequences = [6, 7].map((call) =>
      played.issued[call]?.graph?.nodes.map(({ work }) =>
        'rendezvous' in work ? work.rendezvous?.sequence : undefined,
      ),
    );
    expect(sequences).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });
});
