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

  remove(handle: CudaGraph): void {
    this.graphs.delete(handle);
  }
}

/** An empty graph. */
export function madeGraph(): MadeGraph {
  return { nodes: new Map(), edges: [], changed: true, count: 0 };
}

/** Whether following edges from a node leads back to it. */
export function hasCycle({ nodes, edges }: MadeGraph): boolean {
  const missing = new Map([...nodes.values()].map(({ id }) => [id, 0]));
  for (const { to } of edges) missing.set(to, (missing.get(to) ?? 0) + 1);
  const ready = [...missing].filter(([, count]) => count === 0).map(([id]) => id);
  let done = 0;
  for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
    done++;
    for (const edge of edges) {
      if (edge.from !== id) continue;
      const left = (missing.get(edge.to) as number) - 1;
      missing.set(edge.to, left);
      if (left === 0) ready.push(edge.to);
    }
  }
  return done < nodes.size;
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
