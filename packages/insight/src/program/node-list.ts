import type { Need, Node } from './nodes.ts';
import { NO_CODE } from './steps.ts';

type Draft = Pick<Node, 'kind' | 'site' | 'begin'> & Partial<Omit<Node, 'id'>>;

/** Nodes in order of their calls. */
export class NodeList {
  readonly nodes: Node[] = [];

  /** Appends a node; what the draft leaves out is as of a join. */
  add(draft: Draft): number {
    const id = this.nodes.length;
    const rest = { code: NO_CODE, wait: NO_NEEDS, timeline: -1, device: 0, triggerAtStart: false, cooperative: false };
    this.nodes.push({ ...rest, ...draft, id });
    return id;
  }

  /** The same needs as few: through a join where there are several. */
  joined(needs: readonly Need[], site: Node['site']): readonly Need[] {
    if (needs.length < 2) return needs;
    if (needs.length === 2 && needs[0]?.node === needs[1]?.node && needs[0]?.at === needs[1]?.at)
      return [needs[0] as Need];
    return [atEnd(this.add({ kind: 'join', site, begin: needs }))];
  }
}

export const NO_NEEDS: readonly Need[] = [];

export function atEnd(node: number): Need {
  return { node, at: 'end' };
}

export function inHardware(needs: readonly Need[]): Need[] {
  return needs.map((need) => ({ ...need, hardwareOnly: true }));
}
