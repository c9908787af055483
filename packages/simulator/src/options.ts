import type { Interval } from './intervals/interval.ts';

/** How a simulation is run; nothing here changes its result, but for `recordBlocks`, which adds to it. */
export interface SimulateOptions {
  /** Reference path: every block by itself. Slow; the cohort path gives the same intervals. */
  readonly blockByBlock?: boolean;
  /** Keep start, end and SM of every block. */
  readonly recordBlocks?: boolean;
  /** Gives up after this many events (`SimulationLimit`). */
  readonly maxEvents?: number;
  /** Virtual time reached (ps) and events done, now and then. */
  readonly onProgress?: (time: number, events: number) => void;
  /**
   * Hears what is over while the simulation goes on, in batches about every 100 ms of wall time: each operation of the
   * timeline once, those of a device in order of their completion, and what never completes at the end. A run that fails
   * leaves some out.
   */
  readonly onIntervals?: (intervals: readonly Interval[]) => void;
  /** Another least wall time between two such batches, ms; 0 is as often as there can be. */
  readonly intervalsEveryMs?: number;
}

/** The simulation gave up: at the limit of events that it was given, or where picoseconds are no exact numbers any more. */
export class SimulationLimit extends Error {
  override readonly name = 'SimulationLimit';
}
