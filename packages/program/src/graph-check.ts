import type { CallKind } from './calls.ts';
import { ProgramError } from './errors.ts';
import { unknownName } from './names.ts';
import type { Graph } from './program.ts';

const NODE_KINDS: ReadonlySet<CallKind> = new Set<CallKind>([
  'launchKernel',
  'memcpy',
  'memset',
  'launchHostFunc',
  'eventRecord',
  'streamWaitEvent',
  'mallocAsync',
  'freeAsync',
  'collective',
]);

/** Checks a hand-made graph: its edges join its nodes, no cycle, every call can be a node. Throws ProgramError. */
export function checkGraph(graph: Graph): void {
  const next = new Map<string, string[]>(graph.nodes.map((n) => [n.id, []]));
  graph.nodes.forEach((node, i) => {
    if (!NODE_KINDS.has(node.call.kind)) {
      throw new ProgramError(`node "${node.id}": ${node.call.kind} cannot be a graph node`, {
        offending: node.call.kind,
        path: ['nodes', i],
      });
    }
  });
  graph.edges.forEach((edge, i) => {
    for (const end of ['from', 'to'] as const) {
      if (!next.has(edge[end])) throw unknownName('node', edge[end], next.keys(), end).within(['edges', i]);
    }
    next.get(edge.from)?.push(edge.to);
  });
  const cycle = findCycle(next);
  if (cycle !== undefined) {
    throw new ProgramError(`graph "${graph.name}" has a cycle: ${cycle.join(' -> ')}`, {
      offending: cycle[0] ?? '',
      path: ['edges'],
    });
  }
}

/** The nodes of a cycle, first one repeated at the end; undefined when there is none. Iterative: chains may be long. */
function findCycle(next: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  for (const root of next.keys()) {
    if (done.has(root)) continue;
    const path: string[] = [root];
    const cursors = [0];
    const onPath = new Set(path);
    while (path.length > 0) {
      const node = path[path.length - 1] as string;
      const i = cursors[cursors.length - 1] as number;
      const to = next.get(node)?.[i];
      cursors[cursors.length - 1] = i + 1;
      if (to === undefined) {
        done.add(node);
        onPath.delete(node);
        path.pop();
        cursors.pop();
      } else if (onPath.has(to)) {
        return [...path.slice(path.indexOf(to)), to];
      } else if (!done.has(to)) {
        path.push(to);
        cursors.push(0);
        onPath.add(to);
      }
    }
  }
  return undefined;
}
