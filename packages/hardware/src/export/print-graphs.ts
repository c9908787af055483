import type { Call, EdgePort } from '@griddep/program';
import { ExportError } from './export-error.ts';
import { known } from './objects.ts';
import type { Names } from './print-names.ts';

/** Numbers of ports, as CUDA gives them. */
export const PORTS: Readonly<Record<EdgePort, number>> = { default: 0, programmatic: 1, launchCompletion: 2 };

/** Statements that make the graphs that were made by hand, before the thread's first call. */
export function graphStatements(names: Names, launches: ReadonlyMap<string, number>): string[] {
  return [...names.program.graphs.values()].flatMap((graph) => {
    const name = names.graph(graph.name);
    const nodes = graph.nodes.map(
      ({ id, call }) =>
        `const cudaGraphNode_t ${names.node(graph.name, id)} = ${nodeOf(names, launches, name, graph.name, id, call)};`,
    );
    const edges = graph.edges.map(({ from, to, fromPort, type }) => {
      const ends = `${names.node(graph.name, from)}, ${names.node(graph.name, to)}`;
      return `CHECK(addEdge(${name}, ${ends}, ${PORTS[fromPort]}, ${type === 'programmatic'}));`;
    });
    const unused = graph.nodes.map(({ id }) => `(void)${names.node(graph.name, id)};`);
    return [`CHECK(cudaGraphCreate(&${name}, 0));`, ...nodes, ...edges, unused.join(' ')];
  });
}

/** An expression that adds a node and gives its handle. */
function nodeOf(
  names: Names,
  launches: ReadonlyMap<string, number>,
  graph: string,
  graphName: string,
  id: string,
  call: Call,
): string {
  switch (call.kind) {
    case 'launchKernel':
      return `kernelNode(p, ${graph}, ${known(launches, `${graphName}/${id}`)})`;
    case 'memcpy': {
      const { to, from, bytes, kind } = names.sides(call);
      return `[&] { cudaGraphNode_t n{}; CHECK(cudaGraphAddMemcpyNode1D(&n, ${graph}, nullptr, 0, ${to}, ${from}, ${bytes}, ${kind})); return n; }()`;
    }
    case 'memset':
      return `[&] { cudaGraphNode_t n{}; cudaMemsetParams m{}; m.dst = ${names.target(call)}; m.elementSize = 1; m.width = ${call.bytes}; m.height = 1; CHECK(cudaGraphAddMemsetNode(&n, ${graph}, nullptr, 0, &m)); return n; }()`;
    case 'eventRecord':
      return `[&] { cudaGraphNode_t n{}; CHECK(cudaGraphAddEventRecordNode(&n, ${graph}, nullptr, 0, ${names.event(call.event)})); return n; }()`;
    case 'streamWaitEvent':
      return `[&] { cudaGraphNode_t n{}; CHECK(cudaGraphAddEventWaitNode(&n, ${graph}, nullptr, 0, ${names.event(call.event)})); return n; }()`;
    case 'launchHostFunc': {
      const ns = Math.round(call.duration / 1000);
      return `[&] { cudaGraphNode_t n{}; cudaHostNodeParams h{hostFunction, reinterpret_cast<void*>(static_cast<size_t>(${ns}))}; CHECK(cudaGraphAddHostNode(&n, ${graph}, nullptr, 0, &h)); return n; }()`;
    }
    default:
      throw new ExportError(`graph "${graphName}": a node of the kind ${call.kind} cannot be written out`);
  }
}
