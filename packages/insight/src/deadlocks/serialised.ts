import { atEnd } from '../program/node-list.ts';
import type { Need, Node } from '../program/nodes.ts';

/**
 * The same nodes where nothing overlaps that need not: what could begin early begins at the end, and grids that one host
 * thread launches on one device run one after the other.
 */
export function serialised(nodes: readonly Node[]): Node[] {
  const last = new Map<string, number>();
  return nodes.map((node) => {
    const begin = node.begin.map((need): Need => ({ ...need, at: 'end' }));
    if (node.kind !== 'kernel' && node.kind !== 'collective') return { ...node, begin };
    const queue = `${node.site.thread} ${node.device}`;
    const before = last.get(queue);
    last.set(queue, node.id);
    return { ...node, begin: before === undefined ? begin : [...begin, atEnd(before)] };
  });
}
