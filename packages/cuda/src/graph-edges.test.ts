import { A100, H100 } from '@griddep/machine';
import type { GraphEdgeInput, HostThreadBuilder, ProgramBuilder } from '@griddep/program';
import { describe, expect, test } from 'vitest';
import { deviceRules } from './launch-rules.ts';
import { command, play } from './runtime.fixture.ts';

const kernel = { launchKernel: { kernel: 'k', stream: 'a' } };
const memset = { memsetAsync: { bytes: 64, stream: 'a' } };
const BEFORE_12_3 = [deviceRules(H100, 12020), deviceRules(H100, 12020)];

/** Graph `g` of kernels `x`, `y`, `z` and memset `m`. */
function declare(program: ProgramBuilder, edges: readonly GraphEdgeInput[] = []): void {
  const nodes = ['x', 'y', 'z'].map((id) => ({ id, call: kernel }));
  program.graph('g', [...nodes, { id: 'm', call: memset }], edges);
}

/** Codes of calls on that graph. */
function codes(edges: readonly GraphEdgeInput[], calls: (host: HostThreadBuilder) => void, rules?: typeof BEFORE_12_3) {
  return play((host, program) => {
    declare(program, edges);
    calls(host);
  }, rules).codes;
}

/** Edges of what graph `g` is launched as, as `from -> to` with their milestones. */
function launched(calls: (host: HostThreadBuilder) => void): string[] {
  const played = play((host, program) => {
    declare(program);
    calls(host);
    host.graphInstantiate('g', 'run');
    host.graphLaunch('run', 'a');
  });
  expect(played.codes.every((code) => code === 0)).toBe(true);
  const { nodes } = command(played, -1, 'graph').graph;
  return nodes.flatMap(({ id, edges }) =>
    edges.map((e) => `${nodes[e.from]?.id} -> ${id} ${e.milestone}${e.programmatic ? ' programmatic' : ''}`),
  );
}

describe('data of edges', () => {
  test('4.1 without any, an edge is full: the node comes after the completion', () => {
    expect(launched((host) => host.graphAddDependencies('g', 'x', 'y'))).toEqual(['x -> y complete']);
  });

  test('4.1 the port at the end is 0, or the edge is refused (1)', () => {
    expect(codes([], (host) => host.graphAddDependencies('g', 'x', 'y', { toPort: 1 }))).toEqual([1]);
    expect(codes([], (host) => host.graphAddDependencies('g', 'x', 'y', { type: 'programmatic', toPort: 1 }))).toEqual([
      1,
    ]);
  });

  test('4.2, 4.3 a programmatic edge comes from the programmatic or the launch-completion port', () => {
    expect(
      launched((host) => {
        host.graphAddDependencies('g', 'x', 'y', { type: 'programmatic' });
        host.graphAddDependencies('g', 'x', 'z', { type: 'programmatic', fromPort: 'launchCompletion' });
      }),
    ).toEqual(['x -> y triggered programmatic', 'x -> z started programmatic']);
    expect(
      codes([], (host) => host.graphAddDependencies('g', 'x', 'y', { type: 'programmatic', fromPort: 'default' })),
    ).toEqual([1]);
  });

  test('4.2 it joins kernel nodes only (1)', () => {
    expect(
      codes([], (host) => {
        host.graphAddDependencies('g', 'x', 'm', { type: 'programmatic' });
        host.graphAddDependencies('g', 'm', 'x', { type: 'programmatic' });
      }),
    ).toEqual([1, 1]);
  });

  test('4.3 the launch-completion port is there for full edges too, which no wait instruction sees', () => {
    expect(launched((host) => host.graphAddDependencies('g', 'x', 'm', { fromPort: 'launchCompletion' }))).toEqual([
      'x -> m started',
    ]);
  });

  test('4.3 the programmatic port needs the programmatic type, and only kernels have ports (1)', () => {
    expect(
      codes([], (host) => {
        host.graphAddDependencies('g', 'x', 'y', { fromPort: 'programmatic', type: 'full' });
        host.graphAddDependencies('g', 'm', 'x', { fromPort: 'launchCompletion' });
      }),
    ).toEqual([1, 1]);
  });

  test.each<[string, GraphEdgeInput]>([
    ['from the default port', { from: 'x', to: 'y', fromPort: 'default', type: 'programmatic' }],
    ['to a memset', ['x', 'm', 'programmatic']],
    ['from a memset', { from: 'm', to: 'x', fromPort: 'launchCompletion', type: 'full' }],
    ['full from the programmatic port', { from: 'x', to: 'y', fromPort: 'programmatic', type: 'full' }],
  ])('4.2, 4.3 a program with an edge that CUDA refuses is refused at its place: %s', (_, edge) => {
    expect(() => codes([edge], () => {})).toThrow(/rule 4\.[23]/);
  });
});

describe('queries', () => {
  const query: readonly [string, (host: HostThreadBuilder, edgeData: boolean) => void][] = [
    ['all edges', (host, edgeData) => host.graphGetEdges('g', { edgeData })],
    ['what a node depends on', (host, edgeData) => host.graphNodeGetDependencies('g', 'y', { edgeData })],
    ['what depends on a node', (host, edgeData) => host.graphNodeGetDependentNodes('g', 'x', { edgeData })],
  ];

  test.each(query)('4.5 of %s lose what is not plain, unless they ask for it (402)', (_, ask) => {
    const both = (host: HostThreadBuilder) => {
      ask(host, false);
      ask(host, true);
    };
    expect(codes([['x', 'y', 'programmatic']], both)).toEqual([402, 0]);
    expect(codes([['x', 'y']], both)).toEqual([0, 0]);
  });

  test('4.5 an edge elsewhere does not matter to the query of a node', () => {
    const edges: GraphEdgeInput[] = [
      ['x', 'y'],
      ['y', 'z', 'programmatic'],
    ];
    expect(
      codes(edges, (host) => {
        host.graphNodeGetDependencies('g', 'y');
        host.graphNodeGetDependentNodes('g', 'y');
      }),
    ).toEqual([0, 402]);
  });

  test('4.5 of a capture as well, where a launch event is what the next node waits for', () => {
    expect(
      play((host) => {
        host.streamBeginCapture('a');
        host.launchKernel('k', 'a', { launchCompletionEvent: 'u' });
        host.streamGetCaptureInfo('a');
        host.streamWaitEvent('b', 'u');
        host.streamGetCaptureInfo('b');
        host.streamGetCaptureInfo('b', { edgeData: true });
        host.streamGetCaptureInfo('n');
      }).codes,
    ).toEqual([0, 0, 0, 0, 402, 0, 0]);
  });

  test('4.5 before CUDA 12.3 there is no data to ask for, or to give (36)', () => {
    const calls = (host: HostThreadBuilder) => {
      host.graphGetEdges('g');
      host.graphGetEdges('g', { edgeData: true });
      host.graphAddDependencies('g', 'x', 'y', { type: 'programmatic' });
      host.graphAddDependencies('g', 'x', 'y');
      host.graphInstantiate('g', 'run');
    };
    expect(codes([], calls, BEFORE_12_3)).toEqual([0, 36, 36, 0, 0]);
    expect(codes([['y', 'z', 'programmatic']], calls, BEFORE_12_3).at(-1)).toBe(36);
  });
});

describe('changes of edges', () => {
  test('4.6 an edge that is there cannot be added, one that is not cannot be removed (1)', () => {
    expect(
      codes([['x', 'y']], (host) => {
        host.graphAddDependencies('g', 'x', 'y');
        host.graphAddDependencies('g', 'y', 'z');
        host.graphRemoveDependencies('g', 'x', 'z');
        host.graphRemoveDependencies('g', 'x', 'y');
        host.graphRemoveDependencies('g', 'x', 'y');
      }),
    ).toEqual([1, 0, 1, 0, 1]);
  });

  test('4.6 nodes are of the graph, and two (1)', () => {
    expect(
      codes([], (host) => {
        host.graphAddDependencies('g', 'elsewhere', 'y');
        host.graphAddDependencies('g', 'x', 'elsewhere');
        host.graphNodeGetDependencies('g', 'elsewhere');
        host.graphAddDependencies('g', 'x', 'x');
      }),
    ).toEqual([1, 1, 1, 1]);
  });

  test('4.6 a cycle is found when the graph is instantiated (1), and order does not depend on that of the calls', () => {
    expect(
      codes([['x', 'y']], (host) => {
        host.graphAddDependencies('g', 'y', 'x');
        host.graphInstantiate('g', 'run');
        host.graphRemoveDependencies('g', 'x', 'y');
        host.graphInstantiate('g', 'run');
      }),
    ).toEqual([0, 1, 0, 0]);
    expect(
      launched((host) => {
        host.graphAddDependencies('g', 'z', 'y');
        host.graphAddDependencies('g', 'y', 'x');
      }),
    ).toEqual(['z -> y complete', 'y -> x complete']);
  });

  test('4.6 an executable stays as it was made', () => {
    const played = play((host, program) => {
      declare(program);
      host.graphInstantiate('g', 'run');
      host.graphAddDependencies('g', 'x', 'y');
      host.graphLaunch('run', 'a');
    });
    const { nodes } = command(played, -1, 'graph').graph;
    expect(nodes.flatMap(({ edges }) => edges)).toEqual([]);
  });
});

describe('updates', () => {
  /** Result of an update from graph `g` to `h`: the error's code and cudaGraphExecUpdateResult. */
  const updated = (make: (program: ProgramBuilder) => void, rules?: typeof BEFORE_12_3) => {
    const { issued } = play((host, program) => {
      make(program);
      host.graphInstantiate('g', 'run');
      host.graphExecUpdate('run', 'h');
    }, rules);
    return [issued[1]?.error?.code, issued[1]?.error?.updateResult];
  };
  const graph = (
    program: ProgramBuilder,
    name: string,
    ...calls: Parameters<ProgramBuilder['graph']>[1][0]['call'][]
  ) =>
    program.graph(
      name,
      calls.map((call, i) => ({ id: `n${i}`, call })),
    );
  const other = { launchKernel: { kernel: 'other', stream: 'a' } };
  const OLD = [deviceRules(A100, 11010), deviceRules(A100, 11010)];

  test('4.10 what cannot be updated is 910, with why it cannot', () => {
    expect(
      updated((p) => {
        graph(p, 'g', kernel, kernel);
        p.graph(
          'h',
          ['n0', 'n1'].map((id) => ({ id, call: kernel })),
          [['n0', 'n1']],
        );
      }),
    ).toEqual([910, 2]);
    expect(
      updated((p) => {
        graph(p, 'g', kernel);
        graph(p, 'h', memset);
      }),
    ).toEqual([910, 3]);
    const cooperative = { launchKernel: { kernel: 'k', stream: 'a', attributes: { cooperative: true } } };
    expect(
      updated((p) => {
        graph(p, 'g', kernel);
        graph(p, 'h', cooperative);
      }),
    ).toEqual([910, 8]);
    const copy = (kind: 'hostToDevice' | 'deviceToHost') => ({ memcpyAsync: { copy: kind, bytes: 64, stream: 'a' } });
    expect(
      updated((p) => {
        graph(p, 'g', copy('hostToDevice'));
        graph(p, 'h', copy('deviceToHost'));
      }),
    ).toEqual([910, 5]);
    expect(
      updated((p) => {
        p.buffer('x', { bytes: 64 });
        for (const name of ['g', 'h']) graph(p, name, { mallocAsync: { buffer: 'x', stream: 'a' } });
      }),
    ).toEqual([910, 6]);
    expect(
      updated((p) => {
        graph(p, 'g', kernel);
        graph(p, 'h', { launchKernel: { kernel: 'k', stream: 'far' } });
      }),
    ).toEqual([910, 7]);
  });

  test('4.10 the function may change from CUDA 11.2 on; before, that is a reason as well', () => {
    const change = (p: ProgramBuilder) => {
      p.kernel('other', { grid: 1, block: 32, phases: [] });
      graph(p, 'g', kernel);
      graph(p, 'h', other);
    };
    expect(updated(change)).toEqual([undefined, undefined]);
    expect(updated(change, OLD)).toEqual([910, 4]);
  });

  test('4.10 a graph with a cycle is a reason', () => {
    const { issued } = play((host, program) => {
      declare(program, [['x', 'y']]);
      host.graphInstantiate('g', 'run');
      host.graphAddDependencies('g', 'y', 'x');
      host.graphExecUpdate('run', 'g');
    });
    expect(issued[2]?.error).toMatchObject({ code: 910, updateResult: 1 });
  });

  test('4.10 after a refused update the executable is what it was, after one that succeeds the new graph', () => {
    const sizes = (bytes: number, call: 'memset' | 'kernel') => {
      const played = play((host, program) => {
        graph(program, 'g', memset);
        graph(program, 'h', call === 'kernel' ? kernel : { memsetAsync: { bytes, stream: 'a' } });
        host.graphInstantiate('g', 'run');
        host.graphExecUpdate('run', 'h');
        host.graphLaunch('run', 'a');
      });
      return command(played, -1, 'graph').graph.nodes.map(({ work }) => ('bytes' in work ? work.bytes : work.type));
    };
    expect(sizes(4096, 'memset')).toEqual([4096]);
    expect(sizes(4096, 'kernel')).toEqual([64]);
  });
});
