import type { Graph, GraphEdge, Program } from '@griddep/program';
import { mapThreads } from './entries.ts';
import { selectKernels } from './select-kernels.ts';

export interface RemoveOptions {
  /** A kernel's name, all its variants meant, with `*` for any characters. */
  readonly kernel: string;
}

/**
 * A program without the launches of a kernel. In graphs made by hand what followed the node follows what it followed.
 *
 * @throws ProgramError where no kernel has that name
 */
export function remove(program: Program, { kernel }: RemoveOptions): Program {
  const gone = new Set(selectKernels(program, kernel).map(({ name }) => name));
  const graphs = new Map([...program.graphs].map(([name, graph]) => [name, withoutNodes(graph, gone)]));
  return mapThreads({ ...program, graphs }, (entries) =>
    entries.filter(({ call }) => call.kind !== 'launchKernel' || !gone.has(call.kernel)),
  );
}

function withoutNodes(graph: Graph, gone: ReadonlySet<string>): Graph {
  let edges = [...graph.edges];
  const nodes = graph.nodes.filter(({ id, call }) => {
    if (call.kind !== 'launchKernel' || !gone.has(call.kernel)) return true;
    const into = edges.filter(({ to }) => to === id);
    const out = edges.filter(({ from }) => from === id);
    edges = edges.filter(({ from, to }) => from !== id && to !== id);
    for (const { from } of into) {
      for (const { to } of out) {
        const bridge: GraphEdge = { from, to, fromPort: 'default', type: 'full' };
        if (!edges.some((edge) => edge.from === from && edge.to === to)) edges.push(bridge);
      }
    }
    return false;
  });
  return { ...graph, nodes, edges };
}
