import type { Point, Texts } from '../job/job.ts';
import type { Finished, RunControl, Runs } from '../runs.ts';
import { SweepError } from '../sweep-error.ts';
import { type Pool, startPool } from './pool.ts';

/** A thread that dies takes its task with it, which is begun again. */
const MOST_ATTEMPTS = 3;
/** Tasks under way for each thread: the next one waits while one runs. */
const AHEAD = 3;

/** Runs points in threads of this process. */
export class LocalRuns implements Runs {
  readonly #threads: number;
  readonly #pool: Pool;

  constructor(threads: number, texts: Texts) {
    this.#threads = threads;
    this.#pool = startPool(threads, texts);
  }

  async run(points: Iterable<Point>, tell: (finished: Finished) => void, { signal }: RunControl): Promise<void> {
    const iterator = points[Symbol.iterator]();
    let failed = false;
    const lane = async () => {
      while (signal?.aborted !== true && !failed) {
        const next = iterator.next();
        if (next.done === true) return;
        const finished = await this.#attempt(next.value, signal).catch((error: unknown) => {
          failed = true;
          throw error;
        });
        if (finished !== undefined) tell(finished);
      }
    };
    const lanes = Array.from({ length: this.#threads * AHEAD }, lane);
    try {
      await Promise.all(lanes);
    } finally {
      await Promise.allSettled(lanes);
    }
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #attempt(point: Point, signal: AbortSignal | undefined): Promise<Finished | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        return { point, ...(await this.#pool.run({ job: point.job })), attempt };
      } catch (error) {
        if (signal?.aborted === true) return undefined;
        if (attempt < MOST_ATTEMPTS) continue;
        const { message } = error as Error;
        throw new SweepError(`point ${point.index} (${JSON.stringify(point.parameters)}) failed: ${message}`);
      }
    }
  }
}
