/**
 * The cycles of a directed graph, one for each edge that closes one in a depth-first walk, so none is missed entirely.
 * Takes time in proportion to nodes, edges and the cycles' lengths, and no stack.
 * @param {Map<string, string[]>} graph node to successors; successors that are no nodes are ignored
 * @returns {string[][]} each cycle ends with the node it begins with
 */
export function findCycles(graph) {
  /** @type {Set<string>} */
  const seen = new Set();
  /** @type {string[][]} */
  const cycles = [];
  for (const root of graph.keys()) if (!seen.has(root)) walk(graph, root, seen, cycles);
  return cycles;
}

/** @param {Map<string, string[]>} graph @param {string} root @param {Set<string>} seen @param {string[][]} cycles */
function walk(graph, root, seen, cycles) {
  /** Where each node stands on the path from the root. @type {Map<string, number>} */
  const place = new Map();
  /** @type {{ node: string, rest: Iterator<string> }[]} */
  const path = [];
  /** @param {string} node */
  const enter = (node) => {
    seen.add(node);
    place.set(node, path.length);
    path.push({ node, rest: (graph.get(node) ?? []).values() });
  };
  enter(root);
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const { value: next, done } = top.rest.next();
    if (done) {
      path.pop();
      place.delete(top.node);
      continue;
    }
    const at = place.get(next);
    if (at !== undefined) cycles.push([...path.slice(at).map(({ node }) => node), next]);
    else if (graph.has(next) && !seen.has(next)) enter(next);
  }
}
