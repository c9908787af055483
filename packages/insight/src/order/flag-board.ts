import type { Node } from '../program/nodes.ts';
import { joinReadings, NOTHING, type Readings } from './readings.ts';
import { Signallers } from './signallers.ts';

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
  private readonly signallers = new Map<string, Signallers>();

  constructor(nodes: readonly Node[]) {
    for (const node of nodes) {
      for (const { steps } of node.code.roles) {
        for (const step of steps) {
          if (step.do !== 'signal') continue;
          const known = this.signallers.get(step.flag) ?? new Signallers(nodes);
          this.signallers.set(step.flag, known);
          known.add({ node, value: step.value });
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

  /** What is known to somebody who saw a value: what the signal published that must have been given then, if that is certain. */
  seen(flag: string, value: number, by: Node): Readings {
    const from = this.signallers.get(flag)?.certain(value);
    const made = this.published.get(flag)?.find((each) => each.node === from?.id && each.value >= value);
    if (made === undefined || from === undefined) return NOTHING;
    const isNear = by.kind !== 'host' && from.kind !== 'host' && by.device === from.device;
    return isNear ? joinReadings(made.device, made.system) : made.system;
  }
}
