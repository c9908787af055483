import type { CallOf } from '@griddep/program';
import type { ExecutableGraph, NodeEdge } from './commands.ts';
import { cudaError } from './errors.ts';
import { hasEdgeData, knowsEdgeData, newerDriver } from './graph-edges.ts';
import type { Issued } from './issued.ts';
import type { Invocation, ProcessState } from './process-state.ts';

/** cudaGraphGetEdges: all edges of a graph. */
export function getEdges(
  state: ProcessState,
  invocation: Invocation<CallOf<'graphGetEdges'>>,
  graph: ExecutableGraph,
): Issued {
  const edges = graph.nodes.flatMap((node) => node.edges);
  return answer(state, invocation, edges);
}

/** cudaGraphNodeGetDependencies and cudaGraphNodeGetDependentNodes: the edges into a node, or out of it. */
export function getNeighbours(
  state: ProcessState,
  invocation: Invocation<CallOf<'graphNodeGetDependencies'>>,
  graph: ExecutableGraph,
): Issued {
  const { kind, node: id } = invocation.call;
  const index = graph.nodes.findIndex((node) => node.id === id);
  const node = graph.nodes[index];
  if (node === undefined) {
    const message = `"${id}" is no node of graph "${graph.name}" (rule 4.6)`;
    return state.fail(invocation, cudaError('cudaErrorInvalidValue', message));
  }
  const out = () => graph.nodes.flatMap(({ edges }) => edges.filter(({ from }) => from === index));
  return answer(state, invocation, kind === 'graphNodeGetDependencies' ? node.edges : out());
}

/**
 * cudaStreamGetCaptureInfo: what the stream's next node would depend on. Of the legacy stream it fails while a blocking
 * stream captures (906), but unlike other calls it leaves that capture alone.
 */
export function getCaptureInfo(state: ProcessState, invocation: Invocation<CallOf<'streamGetCaptureInfo'>>): Issued {
  const stream = state.stream(invocation.thread, invocation.call.stream);
  const blocking = state.captures.some((capture) => capture.holdsBlocking(state.streams, stream.device));
  if (stream.kind === 'legacy' && blocking) {
    const message = 'a blocking stream is capturing (rule 5.22)';
    return state.fail(invocation, cudaError('cudaErrorStreamCaptureImplicit', message));
  }
  const capture = state.captureOf(stream);
  return answer(state, invocation, capture?.invalidated === false ? capture.recorded(stream.index) : []);
}

/** Edges that have data cannot be told without it (rule 4.5). */
function answer(
  state: ProcessState,
  invocation: Invocation<CallOf<'graphGetEdges' | 'graphNodeGetDependencies' | 'streamGetCaptureInfo'>>,
  edges: readonly NodeEdge[],
): Issued {
  if (invocation.call.edgeData && !knowsEdgeData(state)) return state.fail(invocation, newerDriver());
  if (invocation.call.edgeData || !edges.some(hasEdgeData)) return state.done(invocation);
  const message = `${invocation.call.kind} without the data of edges, of which some are not plain (rule 4.5)`;
  return state.fail(invocation, cudaError('cudaErrorLossyQuery', message));
}
