import type { Call, Graph } from '@griddep/program';
import type { ExecutableGraph, ExecutableNode, NodeEdge, NodeWork } from './commands.ts';
import { MILESTONE_OF_PORT } from './graph-edges.ts';

/**
 * An executable of a graph made by hand: nodes in topological order, edges by rules 4.1-4.3. What is in a cycle, or
 * behind one, comes last: instantiation finds out.
 */
export function executableFromGraph(
  graph: Graph,
  work: (call: Call) => { device: number; stream: number; work: NodeWork },
): ExecutableGraph {
  const order = topologicalOrder(graph);
  const position = new Map(order.map((id, i) => [id, i]));
  const calls = new Map(graph.nodes.map((n) => [n.id, n.call]));
  const nodes = order.map((id): ExecutableNode => {
    const edges = graph.edges
      .filter((e) => e.to === id)
      .map(
        (e): NodeEdge => ({
          from: position.get(e.from) as number,
          milestone: MILESTONE_OF_PORT[e.fromPort],
          programmatic: e.type === 'programmatic',
        }),
      );
    const call = calls.get(id) as Call;
    return { id, ...work(call), edges, call };
  });
  return { name: graph.name, nodes };
}

function topologicalOrder(graph: Graph): string[] {
  const missing = new Map(graph.nodes.map((n) => [n.id, 0]));
  const dependents = new Map<string, string[]>();
  for (const { from, to } of graph.edges) {
    missing.set(to, (missing.get(to) ?? 0) + 1);
    dependents.set(from, [...(dependents.get(from) ?? []), to]);
  }
  const ready = graph.nodes.filter((n) => missing.get(n.id) === 0).map((n) => n.id);
  const order: string[] = [];
  for (let id = ready.shift(); id !== undefined; id = ready.shift()) {
    order.push(id);
    for (const to of dependents.get(id) ?? []) {
      const left = (missing.get(to) as number) - 1;
      missing.set(to, left);
      if (left === 0) ready.push(to);
    }
  }
  if (order.length === graph.nodes.length) return order;
  const sorted = new Set(order);
  return [...order, ...graph.nodes.map((n) => n.id).filter((id) => !sorted.has(id))];
}
