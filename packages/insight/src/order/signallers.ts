import type { Node } from '../program/nodes.ts';

/** A node that raises a flag, and how far. */
export interface Signaller {
  readonly node: Node;
  readonly value: number;
}

/** Who raises a flag, in order of the calls. */
export class Signallers {
  private readonly nodes: readonly Node[];
  private readonly list: Signaller[] = [];
  private firstByValue = new Map<number, number>();
  private inOrderFrom: number | undefined;

  constructor(nodes: readonly Node[]) {
    this.nodes = nodes;
  }

  add(signaller: Signaller): void {
    this.list.push(signaller);
  }

  /** The one that must have signalled where the flag holds a value: the first that suffices, if all later ones come after its end. */
  certain(value: number): Node | undefined {
    const first = this.first(value);
    this.inOrderFrom ??= this.findOrder();
    return first < this.inOrderFrom ? undefined : this.list[first]?.node;
  }

  private first(value: number): number {
    const known = this.firstByValue.get(value);
    if (known !== undefined) return known;
    const found = this.list.findIndex((signaller) => signaller.value >= value);
    const first = found < 0 ? this.list.length : found;
    this.firstByValue.set(value, first);
    return first;
  }

  private findOrder(): number {
    let from = Math.max(0, this.list.length - 1);
    while (from > 0 && this.comesAfter(this.list[from]?.node as Node, this.list[from - 1]?.node as Node)) from--;
    return from;
  }

  /** Whether a node signals only after another's end. */
  private comesAfter(later: Node, earlier: Node): boolean {
    if (later === earlier) return true;
    if (later.timeline !== earlier.timeline || later.site.thread !== earlier.site.thread) return false;
    if (later.kind === 'host') return true;
    const isSignalLate = later.code.roles.every(({ steps }) => {
      const signal = steps.findIndex((step) => step.do === 'signal');
      return signal < 0 || steps.slice(0, signal).some((step) => step.do === 'wait');
    });
    if (later.wait.length > 0 && !isSignalLate) return false;
    for (let node: Node | undefined = later; node !== undefined && node.id > earlier.id; ) {
      if (node.wait.length === 0) return !isSameLaunch(node, earlier);
      if (!node.code.waits) return false;
      const primary: number = node.wait[0]?.node as number;
      if (primary === earlier.id) return true;
      node = this.nodes[primary];
    }
    return false;
  }
}

function isSameLaunch({ site: a }: Node, { site: b }: Node): boolean {
  return a.of !== undefined && b.of !== undefined && a.call === b.call;
}
