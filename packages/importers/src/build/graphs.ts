import type { CallInput, ProgramBuilder } from '@griddep/program';
import type { Findings } from '../findings.ts';
import type { Names } from '../names.ts';
import { streamKey } from '../overlaps.ts';
import type { TraceOperation } from '../trace.ts';
import type { EarlyLaunch } from './kernels.ts';

/** Gaps of a replayed graph differ by as much without any reason, ps. */
const LEAST_PAUSE = 200_000;

/** A node as a launch of its graph ran it, ps since the launch's first node. */
interface NodeTime {
  readonly start: number;
  readonly end: number;
}

/** Launches of one graph: the same nodes in the same streams. */
export interface TracedGraph {
  readonly name: string;
  readonly executable: string;
  /** The nodes of one launch, in order. */
  readonly nodes: readonly TraceOperation[];
  /** Mean over the launches. */
  readonly times: readonly NodeTime[];
  /** Pauses after nodes that nothing explains, ps; the node is taken to last as much longer. */
  readonly pauses: readonly number[];
  /** Edges by index of the nodes. */
  readonly edges: readonly (readonly [number, number])[];
}

/** Puts the kernels of graph launches together to graphs: launches that ran the same nodes are of one graph. */
export function tracedGraphs(
  launches: readonly (readonly TraceOperation[])[],
  usualGap: number,
  names: Names,
  findings: Findings,
  { isUnprofiled = false }: { readonly isUnprofiled?: boolean } = {},
): Map<readonly TraceOperation[], TracedGraph> {
  const bySignature = new Map<string, (readonly TraceOperation[])[]>();
  for (const nodes of launches) {
    const signature = nodes
      .map((node) => `${node.kind} ${node.name} ${streamKey(node)} ${node.grid} ${node.block} ${node.bytes}`)
      .join('\n');
    bySignature.set(signature, [...(bySignature.get(signature) ?? []), nodes]);
  }
  const graphs = new Map<readonly TraceOperation[], TracedGraph>();
  for (const same of bySignature.values()) {
    const nodes = same[0] as readonly TraceOperation[];
    const name = names.unique('graph', ' ');
    const times = nodes.map((_, i) => meanTime(same, i));
    const edges = chainEdges(nodes, name, findings);
    const graph: TracedGraph = {
      name,
      executable: `${name} executable`,
      nodes,
      times,
      edges,
      pauses: pausesOf({ nodes, times, edges }, usualGap, name, findings, isUnprofiled),
    };
    for (const each of same) graphs.set(each, graph);
  }
  return graphs;
}

function meanTime(launches: readonly (readonly TraceOperation[])[], node: number): NodeTime {
  let start = 0;
  let end = 0;
  for (const nodes of launches) {
    const first = Math.min(...nodes.map((each) => each.start));
    start += ((nodes[node] as TraceOperation).start - first) / launches.length;
    end += ((nodes[node] as TraceOperation).end - first) / launches.length;
  }
  return { start, end };
}

/**
 * What of the gap between two nodes of a chain is beyond the gap that is usual in the trace. In a replayed graph of one
 * branch there is nothing else that a node could wait for, so it is something that the node before leaves behind; where
 * that is no kernel, whose time the machine gives, the node behind it lasts as much longer. That is
 * the profiler's: a memset with what lies around it takes 6 us under it, and 3 us in the same graph without it.
 */
function pausesOf(
  { nodes, times, edges }: Pick<TracedGraph, 'nodes' | 'times' | 'edges'>,
  usualGap: number,
  name: string,
  findings: Findings,
  isUnprofiled: boolean,
): number[] {
  const pauses = times.map(() => 0);
  if (edges.length !== times.length - 1) return pauses;
  for (const [from, to] of edges) {
    const pause = Math.round((times[to] as NodeTime).start - (times[from] as NodeTime).end - usualGap);
    if (pause <= LEAST_PAUSE) continue;
    if (nodes[from]?.kind === 'kernel') {
      pauses[from] = (pauses[from] as number) + pause;
      findings.add('assumed', 'pauses in graphs that nothing explains: the node before lasts as much longer', name);
    } else if (!isUnprofiled) {
      pauses[to] = (pauses[to] as number) + pause;
      findings.add('assumed', 'pauses in graphs behind copies and memsets: the node behind lasts as much longer', name);
    }
  }
  return pauses;
}

/** Traces tell no edges: nodes of one stream follow each other, and what ties several streams is not known. */
function chainEdges(nodes: readonly TraceOperation[], name: string, findings: Findings): [number, number][] {
  const edges: [number, number][] = [];
  const last = new Map<string, number>();
  nodes.forEach((node, i) => {
    const before = last.get(streamKey(node));
    if (before !== undefined) edges.push([before, i]);
    last.set(streamKey(node), i);
  });
  if (last.size > 1) findings.add('unknown', 'graphs of several streams: what ties their branches', name);
  findings.add('assumed', 'edges of graphs between successive nodes of a stream', name, edges.length);
  return edges;
}

/** How a node takes part in early launches, from the mean times. */
export function earlyNode(graph: TracedGraph, node: number, resolution: number): EarlyLaunch | undefined {
  const isEarly = ([from, to]: readonly [number, number]) => isProgrammatic(graph, from, to, resolution);
  const own = graph.times[node] as NodeTime;
  const next = graph.edges.find((edge) => edge[0] === node && isEarly(edge));
  const previous = graph.edges.find((edge) => edge[1] === node && isEarly(edge));
  if (next === undefined && previous === undefined) return undefined;
  return {
    isInGraph: true,
    ...(next === undefined ? {} : { nextStart: (graph.times[next[1]] as NodeTime).start - own.start }),
    ...(previous === undefined ? {} : { previousEnd: (graph.times[previous[0]] as NodeTime).end - own.start }),
  };
}

export function isProgrammatic(graph: TracedGraph, from: number, to: number, resolution: number): boolean {
  const bothKernels = graph.nodes[from]?.kind === 'kernel' && graph.nodes[to]?.kind === 'kernel';
  const [a, b] = [graph.times[from] as NodeTime, graph.times[to] as NodeTime];
  return bothKernels && a.end - b.start > resolution;
}

/** Declares a graph; `call` makes the call that a node stands for. */
export function declareGraph(
  builder: ProgramBuilder,
  graph: TracedGraph,
  resolution: number,
  call: (node: TraceOperation, index: number) => CallInput,
): void {
  builder.graph(
    graph.name,
    graph.nodes.map((node, index) => ({ id: `n${index}`, call: call(node, index) })),
    graph.edges.map(([from, to]) => [
      `n${from}`,
      `n${to}`,
      isProgrammatic(graph, from, to, resolution) ? 'programmatic' : 'full',
    ]),
  );
}
