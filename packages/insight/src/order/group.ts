import type { Chains } from './chains.ts';
import type { Clock, Epoch } from './clock.ts';

/** Accesses of a node that become known together. */
export class Group {
  readonly node: number;
  /** Where on the timeline it is; undefined as long as nobody can know of it. */
  epoch: Epoch | undefined;

  constructor(node: number) {
    this.node = node;
  }

  /** Puts it on its timeline, if it is not yet. */
  publish(chains: Chains, timeline: number, known: Clock): Epoch {
    this.epoch ??= chains.place(timeline, known);
    return this.epoch;
  }
}

/** A group as its kernel goes on. */
export interface OpenGroup {
  readonly group: Group;
  readonly role: number;
  /** The widest fence that stands after it. */
  fenced: 'none' | 'device' | 'system';
  /** Whether all warps of the block have met after it. */
  isMet: boolean;
  /** First triggers of roles that it stands before. */
  before: number;
}
