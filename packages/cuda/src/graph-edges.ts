import { type CallOf, edgeProblem } from '@griddep/program';
import type { ExecutableGraph, ExecutableNode, Milestone, NodeEdge } from './commands.ts';
import { type CudaError, cudaError } from './errors.ts';
import type { ProcessState } from './process-state.ts';

type EdgeCall = CallOf<'graphAddDependencies'>;

/** What an edge awaits, by the port that it comes from. */
export const MILESTONE_OF_PORT: Readonly<Record<EdgeCall['fromPort'], Milestone>> = {
  default: 'complete',
  programmatic: 'triggered',
  launchCompletion: 'started',
};

/** Whether an edge has data other than zeros (rule 4.1). */
export function hasEdgeData({ milestone, programmatic }: NodeEdge): boolean {
  return milestone !== 'complete' || programmatic;
}

/** Whether calls know of edge data: from CUDA 12.3 on (rule 4.5). */
export function knowsEdgeData({ devices }: Pick<ProcessState, 'devices'>): boolean {
  return devices.every(({ edgeData }) => edgeData);
}

/** What calls with edge data return before CUDA 12.3. */
export function newerDriver(): CudaError {
  return cudaError('cudaErrorCallRequiresNewerDriver', 'edges have data from CUDA 12.3 on (rule 4.5)');
}

/** The graph with an edge more; an error where rules 4.1 to 4.3 and 4.6 allow none. */
export function addEdge(graph: ExecutableGraph, call: EdgeCall): ExecutableGraph | CudaError {
  const place = placeOf(graph, call);
  if ('code' in place) return place;
  const { from, to, edge } = place;
  if (call.toPort !== 0) return refused(call, `has port ${call.toPort} at its end, which must be 0 (rule 4.1)`);
  const wrong = edgeProblem(call, (id) => graph.nodes.some((n) => n.id === id && n.work.type === 'kernel'));
  if (wrong !== undefined) return refused(call, `is refused: ${wrong.problem}`);
  if (from === to) return refused(call, 'would join a node to itself (rule 4.6)');
  if (to.edges.some((e) => isSame(e, edge))) return refused(call, 'is there already (rule 4.6)');
  return withEdges(graph, to, [...to.edges, edge]);
}

/** The graph with an edge less; an error if it is not there (rule 4.6). */
export function removeEdge(graph: ExecutableGraph, call: EdgeCall): ExecutableGraph | CudaError {
  const place = placeOf(graph, call);
  if ('code' in place) return place;
  const { to, edge } = place;
  const left = to.edges.filter((e) => !isSame(e, edge));
  return left.length === to.edges.length ? refused(call, 'is not there (rule 4.6)') : withEdges(graph, to, left);
}

/**
 * The graph with its nodes in topological order, those that are so already as they are; undefined if it has a cycle.
 */
export function inOrder(graph: ExecutableGraph): ExecutableGraph | undefined {
  const { nodes } = graph;
  if (nodes.every(({ edges }, i) => edges.every(({ from }) => from < i))) return graph;
  const position = new Map<number, number>();
  const sorted: ExecutableNode[] = [];
  for (let before = -1; before < sorted.length; ) {
    before = sorted.length;
    for (const [i, node] of nodes.entries()) {
      if (position.has(i) || !node.edges.every(({ from }) => position.has(from))) continue;
      position.set(i, sorted.length);
      const edges = node.edges.map((edge) => ({ ...edge, from: position.get(edge.from) as number }));
      sorted.push({ ...node, edges });
    }
  }
  return sorted.length < nodes.length ? undefined : { ...graph, nodes: sorted };
}

interface Place {
  readonly from: ExecutableNode;
  readonly to: ExecutableNode;
  readonly edge: NodeEdge;
}

/** The nodes that a call names, which must be of the graph. */
function placeOf(graph: ExecutableGraph, call: EdgeCall): Place | CudaError {
  const index = graph.nodes.findIndex(({ id }) => id === call.from);
  const from = graph.nodes[index];
  const to = graph.nodes.find(({ id }) => id === call.to);
  if (from === undefined || to === undefined) {
    return refused(call, `is refused: "${from === undefined ? call.from : call.to}" is no node of it (rule 4.6)`);
  }
  const milestone = MILESTONE_OF_PORT[call.fromPort];
  return { from, to, edge: { from: index, milestone, programmatic: call.type === 'programmatic' } };
}

function withEdges(graph: ExecutableGraph, to: ExecutableNode, edges: readonly NodeEdge[]): ExecutableGraph {
  return { ...graph, nodes: graph.nodes.map((node) => (node === to ? { ...node, edges } : node)) };
}

function isSame(a: NodeEdge, b: NodeEdge): boolean {
  return a.from === b.from && a.milestone === b.milestone && a.programmatic === b.programmatic;
}

function refused({ graph, from, to }: EdgeCall, why: string): CudaError {
  return cudaError('cudaErrorInvalidValue', `edge "${from}" -> "${to}" of graph "${graph}" ${why}`);
}
