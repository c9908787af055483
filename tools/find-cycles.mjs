/**
 * The cycles of a directed graph, one for each edge that closes one in a depth-first walk, so none is missed entirely.
 * @param {Map<string, string[]>} graph node to successors; successors that are no nodes are ignored
 * @returns {string[][]} each cycle ends with the node it begins with
 */
export function findCycles(graph) {
  /** @type {Set<string>} */
  const finished = new Set();
  /** @type {string[]} */
  const path = [];
  /** @type {string[][]} */
  const cycles = [];
  /** @param {string} node */
  const walk = (node) => {
    const at = path.indexOf(node);
    if (at >= 0) {
      cycles.push([...path.slice(at), node]);
      return;
    }
    if (finished.has(node)) return;
    path.push(node);
    for (const next of graph.get(node) ?? []) if (graph.has(next)) walk(next);
    path.pop();
    finished.add(node);
  };
  for (const node of graph.keys()) walk(node);
  return cycles;
}
