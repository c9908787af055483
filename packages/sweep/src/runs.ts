import type { Outcome, Point } from './job/job.ts';

/** A point that has run. */
export interface Finished {
  readonly point: Point;
  readonly outcome: Outcome;
  /** Milliseconds of wall clock that the simulation took. */
  readonly duration: number;
  /** How often it was begun, from 1. */
  readonly attempt: number;
}

export interface RunControl {
  /** Stops; points that have begun may still finish, and are told. */
  readonly signal?: AbortSignal | undefined;
}

/** One way to run points: in threads of this machine (local/), or by workers at a queue (queue/). */
export interface Runs {
  /** Runs all points in any order, and tells each once when it is done. */
  run(points: Iterable<Point>, tell: (finished: Finished) => void, control: RunControl): Promise<void>;
  close(): Promise<void>;
}
