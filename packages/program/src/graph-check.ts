import type { CallKind } from './calls.ts';
import { edgeProblem } from './edge-rules.ts';
import { ProgramError } from './errors.ts';
import { unknownName } from './names.ts';
import type { Graph, GraphNode } from './program.ts';

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
  'streamWaitValue',
  'streamWriteValue',
]);
/** Attributes that are valid for launches only, not for nodes (rule 3.5). */
const OF_LAUNCHES = ['programmaticStreamSerialization', 'programmaticEvent', 'launchCompletionEvent'] as const;

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
    checkAttributes(node, ['nodes', i]);
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

function checkAttributes({ id, call }: GraphNode, path: readonly (string | number)[]): void {
  if (call.kind !== 'launchKernel') return;
  for (const attribute of OF_LAUNCHES) {
    const given = call.attributes[attribute];
    if (given === undefined || given === false) continue;
    throw new ProgramError(`node "${id}": attribute ${attribute} is valid for launches only (rule 3.5)`, {
      offending: attribute,
      path: [...path, 'launchKernel', 'attributes', attribute],
    });
  }
}

/** Ports and types as rules 4.2 and 4.3 allow them, and no edge twice (4.6). */
function checkEdgeData({ nodes, edges }: Graph): void {
  const kernels = new Set(nodes.filter(({ call }) => call.kind === 'launchKernel').map(({ id }) => id));
  const seen = new Set<string>();
  edges.forEach((edge, i) => {
    const { from, to, fromPort, type } = edge;
    const refuse = (problem: string, field: 'fromPort' | 'type' | 'to', offending: string) =>
      new ProgramError(`edge "${from}" -> "${to}": ${problem}`, { offending, path: ['edges', i, field] });
    const wrong = edgeProblem(edge, (id) => kernels.has(id));
    if (wrong !== undefined) throw refuse(wrong.problem, wrong.field, edge[wrong.field]);
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
