import type { Node } from '../program/nodes.ts';
import { type Member, membersByMeeting } from './meetings.ts';

/** Who could end a wait: the members of collectives, and who raises flags. */
export class Awaited {
  readonly meetings: ReadonlyMap<string, readonly Member[]>;
  private readonly byFlag = new Map<string, { readonly node: Node; readonly value: number }[]>();

  constructor(nodes: readonly Node[]) {
    this.meetings = membersByMeeting(nodes);
    for (const node of nodes) {
      for (const { steps } of node.code.roles) {
        for (const step of steps) {
          if (step.do !== 'signal') continue;
          const known = this.byFlag.get(step.flag);
          if (known === undefined) this.byFlag.set(step.flag, [{ node, value: step.value }]);
          else known.push({ node, value: step.value });
        }
      }
    }
  }

  /** Nodes that raise a flag so far, each once, in order of their calls. */
  signallers(flag: string, value: number): Node[] {
    const enough = (this.byFlag.get(flag) ?? []).filter((signaller) => signaller.value >= value);
    return [...new Set(enough.map(({ node }) => node))];
  }
}
