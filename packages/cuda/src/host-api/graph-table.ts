import type { Call, GraphEdge, GraphNode } from '@griddep/program';
import { type CudaGraph, CudaGraphNode } from './handles.ts';

/** A graph that is made by hand: its nodes in order of their making. */
export interface MadeGraph {
  readonly nodes: Map<CudaGraphNode, GraphNode>;
  edges: GraphEdge[];
  /** True when the runtimes do not know its newest shape. */
  changed: boolean;
  /** Nodes that have been made in it, also those that are gone. */
  count: number;
}

export interface KnownGraph {
  readonly name: string;
  /** Name of its newest shape, which runtimes know it by; every shape has one of its own. */
  shape: string;
  /** Undefined for a captured graph. */
  readonly made: MadeGraph | undefined;
  /** Handles of a captured graph's nodes by their ids, as far as they were asked for. */
  readonly captured: Map<string, CudaGraphNode>;
}

/** The name that runtimes know a node of a graph by; undefined if it is none of the graph. */
export function idOf({ made, captured }: KnownGraph, node: CudaGraphNode): string | undefined {
  if (made !== undefined) return made.nodes.get(node)?.id;
  for (const [id, handle] of captured) if (handle === node) return id;
  return undefined;
}

/** The handles of nodes of a graph. */
export function handlesOf({ made, captured }: KnownGraph, ids: readonly string[]): readonly CudaGraphNode[] {
  const known = new Map(captured);
  for (const [handle, { id }] of made?.nodes ?? []) known.set(id, handle);
  return ids.map((id) => {
    const handle = known.get(id) ?? new CudaGraphNode(id);
    if (made === undefined) captured.set(id, handle);
    return handle;
  });
}

/** Graphs of a process by handle. */
export class GraphTable {
  private readonly graphs = new Map<CudaGraph, KnownGraph>();

  add(handle: CudaGraph, graph: KnownGraph): void {
    this.graphs.set(handle, graph);
  }

  get(handle: CudaGraph): KnownGraph | undefined {
    return this.graphs.get(handle);
  }

  /** The newest graph that a node is of. */
  ofNode(node: CudaGraphNode): KnownGraph | undefined {
    return [...this.graphs.values()].findLast((graph) => idOf(graph, node) !== undefined);
  }

  remove(handle: CudaGraph): void {
    this.graphs.delete(handle);
  }
}

/** An empty graph. */
export function madeGraph(): MadeGraph {
  return { nodes: new Map(), edges: [], changed: true, count: 0 };
}

/** Adds a node and returns its record. A node that the handle stood for before stays, and has no handle any more. */
export function addNode(graph: MadeGraph, handle: CudaGraphNode, what: string, call: Call): GraphNode {
  if (graph.nodes.has(handle)) {
    const before = [...graph.nodes].map(
      ([of, node]) => [of === handle ? new CudaGraphNode(of.name) : of, node] as const,
    );
    graph.nodes.clear();
    for (const [of, node] of before) graph.nodes.set(of, node);
  }
  const taken = new Set([...graph.nodes.values()].map(({ id }) => id));
  const wanted = handle.name ?? `${what}#${graph.count}`;
  const id = taken.has(wanted) ? `${wanted}#${graph.count}` : wanted;
  const node = { id, call };
  graph.nodes.set(handle, node);
  graph.count++;
  graph.changed = true;
  return node;
}
