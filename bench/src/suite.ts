/** One thing measured. `run` is timed; it does `items` units of work. */
export interface BenchCase {
  readonly name: string;
  readonly items: number;
  run(): void | Promise<void>;
}

/** Cases that are measured in turn and compared; ratios are to the first. */
export interface BenchGroup {
  readonly name: string;
  readonly cases: readonly BenchCase[];
  /** Milliseconds to measure each case for, beyond the warm-up; 500 when absent. */
  readonly time?: number;
  /** Runs of each case at least, 8 when absent. */
  readonly samples?: number;
}

export interface BenchSuite {
  readonly name: string;
  /** Unit of the rate, such as `events/s`. */
  readonly unit: string;
  /** Rate that every case should reach at least. */
  readonly target?: number;
  /** Made one at a time, so that the memory of one group is free before the next. */
  groups(): Iterable<BenchGroup>;
}

/** What was measured of a case. */
export interface Measurement {
  readonly suite: string;
  readonly group: string;
  readonly case: string;
  readonly unit: string;
  /** Items over the median time, per second. */
  readonly rate: number;
  /** Rate over the rate of the group's first case. */
  readonly ratio: number;
  /** Half-width of the 95 % interval of the mean time, in percent of it; absent where it ran once. */
  readonly spread?: number;
  readonly samples: number;
  readonly target?: number;
}
