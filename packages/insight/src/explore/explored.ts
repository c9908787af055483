import type { Program } from '@griddep/program';
import type { FoundAccess, Place } from '../finding.ts';

/** What a schedule shows. */
export type ExploredKind = 'wrong value' | 'freed memory' | 'other order' | 'deadlock' | 'missed deadline';

/** Something that happens in a schedule that the program allows, and not in the order of its calls. */
export interface Explored {
  /**
   * `other order`: two accesses of the same bytes, one a write, change places, and no schedule that was tried let
   * anybody find another value.
   */
  readonly kind: ExploredKind;
  /** Replays it (`replay`). */
  readonly seed: string;
  /** Of an order: the access that comes late, then the one that comes before it. */
  readonly accesses: readonly FoundAccess[];
  readonly places: readonly Place[];
  /** What happens in the schedule, as far as it matters, in order. */
  readonly schedule: readonly string[];
  /** How often alike ones were found. */
  readonly count: number;
  readonly text: string;
  /** The fewest calls that show it; absent where it was not asked for. */
  readonly smallest?: Smallest;
}

/** A program with some of another's calls. */
export interface Smallest {
  readonly program: Program;
  /** Places in the whole program. */
  readonly calls: readonly Place[];
  /** Replays the finding in the smaller program. */
  readonly seed: string;
}

export interface ExploreResult {
  readonly program: string;
  readonly findings: readonly Explored[];
  /** Schedules tried. */
  readonly schedules: number;
  /** Every pair of accesses that can change places did: other schedules let none else, and are stuck nowhere else. */
  readonly isComplete: boolean;
  readonly operations: number;
}
