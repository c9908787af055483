import type { ProgramBuilder } from '@griddep/program';
import { describe, expect, test } from 'vitest';
import { after, command, HOST, play } from './runtime.fixture.ts';

const kernel = { launchKernel: { kernel: 'k', stream: 'a' } };
const memset = { memsetAsync: { bytes: 64, stream: 'a' } };

function pair(program: ProgramBuilder, name: string, second: typeof kernel | typeof memset = kernel): void {
  program.graph(
    name,
    [
      { id: 'y', call: second },
      { id: 'x', call: kernel },
    ],
    [['x', 'y']],
  );
}

describe('graphs', () => {
  test('4.1 to 4.3 nodes are in topological order, with the ports of their edges', () => {
    const played = play((host, program) => {
      const nodes = ['c', 'b', 'a'].map((id) => ({ id, call: kernel }));
      program.graph('g', nodes, [
        ['a', 'b', 'programmatic'],
        { from: 'a', to: 'c', fromPort: 'launchCompletion', type: 'programmatic' },
        ['b', 'c'],
      ]);
      host.graphInstantiate('g', 'x');
      host.graphLaunch('x', 'a');
    });
    const { nodes } = command(played, 1, 'graph').graph;
    expect(nodes.map((n) => n.id)).toEqual(['a', 'b', 'c']);
    expect(nodes.map((n) => n.edges)).toEqual([
      [],
      [{ from: 0, milestone: 'triggered', programmatic: true }],
      [
        { from: 0, milestone: 'started', programmatic: true },
        { from: 1, milestone: 'complete', programmatic: false },
      ],
    ]);
  });

  test('a launch takes an operation number for each node, and costs by their number', () => {
    const { issued } = play((host, program) => {
      pair(program, 'g');
      host.graphInstantiate('g', 'x');
      host.graphLaunch('x', 'a');
      host.launchKernel('k', 'a');
    });
    expect(issued.map((i) => i.op)).toEqual([0, 1, 4]);
    expect(issued[0]?.cost).toBe(HOST.graphInstantiate + 2 * HOST.graphInstantiatePerNode);
    expect(issued[1]?.cost).toBe(HOST.graphLaunch + 2 * HOST.graphLaunchPerNode);
  });

  test('4.9 a launch comes after earlier launches of the executable, in whichever stream', () => {
    const played = play((host, program) => {
      pair(program, 'g');
      host.graphInstantiate('g', 'x');
      host.graphInstantiate('g', 'y');
      for (const [executable, stream] of [
        ['x', 'n'],
        ['x', 'm'],
        ['y', 'm'],
        ['x', 'n'],
      ] as const) {
        host.graphLaunch(executable, stream);
      }
    });
    expect(played.issued.map((i) => i.op)).toEqual([0, 1, 2, 5, 8, 11]);
    expect([2, 3, 4, 5].map((i) => after(played, i))).toEqual([[], [2], [], [5]]);
  });

  test('4.10 an update may change parameters but not the shape (910)', () => {
    const { codes } = play((host, program) => {
      pair(program, 'g');
      pair(program, 'same');
      pair(program, 'other', memset);
      program.graph('longer', [{ id: 'x', call: kernel }]);
      host.graphInstantiate('g', 'x');
      host.graphExecUpdate('x', 'same');
      host.graphExecUpdate('x', 'other');
      host.graphExecUpdate('x', 'longer');
      host.graphLaunch('x', 'a');
    });
    expect(codes).toEqual([0, 0, 910, 910, 0]);
  });

  test('what has not been made or instantiated cannot be used (1)', () => {
    const { codes } = play((host) => {
      host.graphInstantiate('g', 'x');
      host.graphLaunch('x', 'a');
      host.graphUpload('x', 'a');
      host.graphExecUpdate('x', 'g');
      host.streamBeginCapture('a');
      host.streamEndCapture('a', 'g');
      host.graphInstantiate('g', 'x');
      host.graphUpload('x', 'a');
      host.graphLaunch('x', 'a');
    });
    expect(codes).toEqual([1, 1, 1, 1, 0, 0, 0, 0, 0]);
  });

  test('graphs of several captures of one name: the newest counts', () => {
    const played = play((host) => {
      for (const n of [1, 2]) {
        host.streamBeginCapture('a');
        for (let i = 0; i < n; i++) host.launchKernel('k', 'a');
        host.streamEndCapture('a', 'g');
      }
      host.graphInstantiate('g', 'x');
      host.graphLaunch('x', 'a');
    });
    expect(command(played, -1, 'graph').graph.nodes).toHaveLength(2);
  });

  test('a graph may hold work of other devices than that of the stream it is launched into', () => {
    const { issued, codes } = play((host, program) => {
      program.graph('g', [
        { id: 'here', call: kernel },
        { id: 'there', call: { memsetAsync: { bytes: 64, stream: 'far' } } },
      ]);
      host.graphInstantiate('g', 'x');
      host.graphLaunch('x', 'a');
      host.launchKernel('k', 'a');
    });
    expect(codes).toEqual([0, 0, 0]);
    expect(issued[1]?.graph?.nodes.map((node) => node.device)).toEqual([0, 1]);
    expect(issued[1]?.commands.map(({ device }) => device)).toEqual([0]);
    expect(issued[2]?.op).toBe(4);
  });
});
