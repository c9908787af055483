import type { Node } from '../program/nodes.ts';
import { joinReadings, NOTHING, type Readings } from './readings.ts';

/** What a signal publishes: to its own device, and to other devices and the host. */
export interface Published {
  readonly node: number;
  readonly value: number;
  readonly device: Readings;
  readonly system: Readings;
}

/** Flags, who may raise them, and what those who did published. They keep the highest value. */
export class FlagBoard {
  private readonly values = new Map<string, number>();
  private readonly published = new Map<string, Published[]>();
  private readonly signallers = new Map<string, { readonly node: Node; readonly value: number }[]>();

  constructor(nodes: readonly Node[]) {
    for (const node of nodes) {
      for (const { steps } of node.code.roles) {
        for (const step of steps) {
          if (step.do !== 'signal') continue;
          const known = this.signallers.get(step.flag) ?? [];
          this.signallers.set(step.flag, known);
          known.push({ node, value: step.value });
        }
      }
    }
  }

  raise(flag: string, published: Published): void {
    this.values.set(flag, Math.max(published.value, this.values.get(flag) ?? 0));
    const known = this.published.get(flag) ?? [];
    this.published.set(flag, known);
    known.push(published);
  }

  holds(flag: string, value: number): boolean {
    return (this.values.get(flag) ?? -1) >= value;
  }

  /** Whether anything raises a flag that far. */
  canHold(flag: string, value: number): boolean {
    return (this.signallers.get(flag) ?? []).some((signaller) => signaller.value >= value);
  }

  /**
   * What is known to somebody who saw a value: what the one signal published that can have made it, or the first of
   * those of one timeline in order; nothing where several can have been first.
   */
  seen(flag: string, value: number, by: Node): Readings {
    const enough = (this.signallers.get(flag) ?? []).filter((signaller) => signaller.value >= value);
    const [first] = enough;
    if (first === undefined) return NOTHING;
    const isOrdered = enough.every(({ node }) => {
      return node === first.node || (node.timeline === first.node.timeline && node.wait.length === 0);
    });
    if (!isOrdered) return NOTHING;
    const made = this.published.get(flag)?.find((each) => each.node === first.node.id && each.value >= value);
    if (made === undefined) return NOTHING;
    const isNear = by.kind !== 'host' && first.node.kind !== 'host' && by.device === first.node.device;
    return isNear ? joinReadings(made.device, made.system) : made.system;
  }
}
