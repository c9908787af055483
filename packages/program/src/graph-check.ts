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

/** Checks a hand-made graph: edges join its nodes as the rules allow, no cycle, every call can be a node. Throws ProgramError. */
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
  checkEdgeData(graph);
  const cycle = findCycle(next);
  if (cycle !== undefined) {
    throw new ProgramError(`graph "${graph.name}" has a cycle: ${cycle.join(' -> ')}`, {
      offending: cycle[0] ?? '',
      path: ['edges'],
    });
  }
}

/** Ports and types as rules 4.2 and 4.3 allow them, and no edge twice (4.6). */
function checkEdgeData({ nodes, edges }: Graph): void {
  const kernels = new Set(nodes.filter(({ call }) => call.kind === 'launchKernel').map(({ id }) => id));
  const seen = new Set<string>();
  edges.forEach(({ from, to, fromPort, type }, i) => {
    const refuse = (problem: string, field: 'fromPort' | 'type' | 'from' | 'to', offending: string) =>
      new ProgramError(`edge "${from}" -> "${to}": ${problem}`, { offending, path: ['edges', i, field] });
    if (type === 'programmatic' && !(kernels.has(from) && kernels.has(to))) {
      throw refuse('a programmatic edge joins two kernel nodes (rule 4.2)', 'type', type);
    }
    if (type === 'programmatic' && fromPort === 'default') {
      throw refuse('a programmatic edge has port programmatic or launchCompletion (rule 4.2)', 'fromPort', fromPort);
    }
    if (fromPort === 'programmatic' && type !== 'programmatic') {
      throw refuse('port programmatic needs type programmatic (rule 4.3)', 'type', type);
    }
    if (fromPort !== 'default' && !kernels.has(from)) {
      throw refuse(`only a kernel node has port ${fromPort} (rule 4.3)`, 'fromPort', fromPort);
    }
    const key = JSON.stringify([from, to, fromPort, type]);
    if (seen.has(key)) throw refuse('the edge is there twice (rule 4.6)', 'to', to);
    seen.add(key);
  });
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
