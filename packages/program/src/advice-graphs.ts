import { earlyLaunchProblems } from './advice-launches.ts';
import { gridBarrierProblem, type Notes } from './advice-notes.ts';
import type { Call } from './calls.ts';
import type { Graph, Program } from './program.ts';

/** The same for graphs made by hand: programmatic edges are early launches. */
export class GraphAdvice {
  private readonly program: Program;
  private readonly found: Notes;

  constructor(program: Program, found: Notes) {
    this.program = program;
    this.found = found;
  }

  look(): void {
    for (const graph of this.program.graphs.values()) {
      graph.nodes.forEach(({ call }, i) => {
        const problem = call.kind === 'launchKernel' ? gridBarrierProblem(this.program, call) : undefined;
        if (problem !== undefined) this.found.add('5.14', `graphs.${graph.name}.nodes[${i}]`, problem);
      });
      this.edges(graph);
    }
  }

  private edges(graph: Graph): void {
    const calls = new Map(graph.nodes.map(({ id, call }) => [id, call]));
    graph.edges.forEach((edge, i) => {
      if (edge.type !== 'programmatic' || edge.fromPort !== 'programmatic') return;
      const from = this.kernel(calls.get(edge.from));
      const to = this.kernel(calls.get(edge.to));
      if (from === undefined || to === undefined) return;
      earlyLaunchProblems(from, to, false, this.found, `graphs.${graph.name}.edges[${i}]`);
    });
  }

  private kernel(call: Call | undefined) {
    return call?.kind === 'launchKernel' ? this.program.kernels.get(call.kernel) : undefined;
  }
}
