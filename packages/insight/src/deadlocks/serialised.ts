import { atEnd } from '../program/node-list.ts';
import { IN_QUEUES, type Need, type Node } from '../program/nodes.ts';

/**
 * The same nodes where nothing overlaps that need not: what could begin early begins at the end, and grids and
 * values of streams that one host thread enqueues on one device come one after the other (rules 5.11, 5.13).
 */
export function serialised(nodes: readonly Node[]): Node[] {
  const last = new Map<string, number>();
  return nodes.map((node) => {
    const begin = node.begin.map((need): Need => ({ ...need, at: 'end' }));
    if (!IN_QUEUES.has(node.kind)) return { ...node, begin };
    const queue = `${node.site.thread} ${node.device}`;
    const before = last.get(queue);
    last.set(queue, node.id);
    return { ...node, begin: before === undefined ? begin : [...begin, atEnd(before)] };
  });
}
