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
}

/** The simulation gave up: at the limit of events that it was given, or where picoseconds are no exact numbers any more. */
export class SimulationLimit extends Error {
  override readonly name = 'SimulationLimit';
}
