import { setTimeout as sleep } from 'node:timers/promises';
import type { Queue, QueueEvents } from 'bullmq';
import type { Point } from '../job/job.ts';
import type { Finished } from '../runs.ts';
import { SweepError } from '../sweep-error.ts';
import { VERSION } from '../version.ts';
import type { Answer, Order } from './message.ts';

/** Runs on the queue at a time: the rest waits here, so that Redis stays small. */
const WINDOW = 1000;
const BATCH = 100;
const MOST_ATTEMPTS = 3;
const DAY_S = 86_400;
/** After so long without news the queue itself is asked: news may be lost when Redis restarts. */
const QUIET_MS = 2000;

/** One run of a set of points. */
export class Coordination {
  readonly #queue: Queue;
  readonly #events: QueueEvents;
  readonly #tell: (finished: Finished) => void;
  readonly #signal: AbortSignal | undefined;
  readonly #outstanding = new Map<string, Point>();
  readonly #removals = new Set<Promise<unknown>>();
  #failure: Error | undefined;
  #lastNews = performance.now();
  #wake = () => {};

  constructor(queue: Queue, events: QueueEvents, tell: (finished: Finished) => void, signal: AbortSignal | undefined) {
    this.#queue = queue;
    this.#events = events;
    this.#tell = tell;
    this.#signal = signal;
  }

  async run(points: Iterable<Point>): Promise<void> {
    const iterator = points[Symbol.iterator]();
    const onCompleted = ({ jobId, returnvalue }: { jobId: string; returnvalue: unknown }) =>
      this.#completed(jobId, returnvalue as Answer);
    const onFailed = ({ jobId, failedReason }: { jobId: string; failedReason: string }) =>
      this.#failed(jobId, failedReason);
    const onAbort = () => this.#wake();
    this.#events.on('completed', onCompleted).on('failed', onFailed);
    this.#signal?.addEventListener('abort', onAbort);
    try {
      let isMore = true;
      while (!this.#isOver()) {
        isMore = isMore && (await this.#fill(iterator));
        if (!isMore && this.#outstanding.size === 0) break;
        if (this.#isOver()) break;
        await this.#news();
        if (performance.now() - this.#lastNews > QUIET_MS) await this.#askQueue();
      }
    } finally {
      this.#events.off('completed', onCompleted).off('failed', onFailed);
      this.#signal?.removeEventListener('abort', onAbort);
      await this.#removeLeft();
      await Promise.allSettled(this.#removals);
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  #isOver(): boolean {
    return this.#failure !== undefined || this.#signal?.aborted === true;
  }

  /** Puts points on the queue up to the window. Returns whether there may be more. */
  async #fill(iterator: Iterator<Point>): Promise<boolean> {
    while (this.#outstanding.size <= WINDOW - BATCH) {
      const batch: Point[] = [];
      while (batch.length < BATCH) {
        const next = iterator.next();
        if (next.done === true) break;
        batch.push(next.value);
      }
      for (const point of batch) this.#outstanding.set(idOf(point), point);
      await this.#add(batch);
      if (batch.length < BATCH) return false;
      if (this.#isOver()) return true;
    }
    return true;
  }

  /** An id that is there already stays as it is: to add again what may have been added is safe. */
  async #add(points: readonly Point[]): Promise<void> {
    if (points.length === 0) return;
    const jobs = points.map((point) => ({
      name: 'run',
      data: { version: VERSION, job: point.job } satisfies Order,
      opts: {
        jobId: idOf(point),
        attempts: MOST_ATTEMPTS,
        removeOnComplete: { age: DAY_S },
        removeOnFail: { age: DAY_S },
      },
    }));
    for (;;) {
      try {
        await this.#queue.addBulk(jobs);
        return;
      } catch (error) {
        if (this.#isOver()) return;
        if (!isConnectionError(error)) throw error;
        await sleep(200);
      }
    }
  }

  async #news(): Promise<void> {
    const timer = setTimeout(() => this.#wake(), QUIET_MS);
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    clearTimeout(timer);
  }

  /** What became of runs whose end was not heard of; those that the queue does not know are put on it again. */
  async #askQueue(): Promise<void> {
    this.#lastNews = performance.now();
    const lost: Point[] = [];
    try {
      for (const [id, point] of [...this.#outstanding]) {
        const job = await this.#queue.getJob(id);
        if (job === undefined) {
          if (this.#outstanding.has(id)) lost.push(point);
          continue;
        }
        const state = await job.getState();
        if (state === 'completed') this.#completed(id, job.returnvalue ?? (await this.#queue.getJob(id))?.returnvalue);
        if (state === 'failed') this.#failed(id, job.failedReason);
      }
    } catch (error) {
      if (!isConnectionError(error)) throw error;
      return;
    }
    await this.#add(lost.filter((point) => this.#outstanding.has(idOf(point))));
  }

  #completed(id: string, answer: Answer | null | undefined): void {
    const point = this.#outstanding.get(id);
    if (point === undefined || answer === undefined || answer === null) return;
    this.#outstanding.delete(id);
    this.#lastNews = performance.now();
    const { version, outcome, duration, attempt } = answer;
    if (version === VERSION) this.#tell({ point, outcome, duration, attempt });
    else this.#failure = new SweepError(`a worker of version ${version} answered, this is ${VERSION}`);
    this.#remove(id);
    this.#wake();
  }

  #failed(id: string, reason: string): void {
    const point = this.#outstanding.get(id);
    if (point === undefined) return;
    this.#outstanding.delete(id);
    this.#failure = new SweepError(`point ${point.index} (${JSON.stringify(point.parameters)}) failed: ${reason}`);
    this.#remove(id);
    this.#wake();
  }

  #remove(id: string): void {
    const removal = this.#queue.remove(id).catch(() => {});
    this.#removals.add(removal);
    void removal.then(() => this.#removals.delete(removal));
  }

  /** What nobody has begun is taken back; what has begun ends, and its answer is left to expire. */
  async #removeLeft(): Promise<void> {
    for (const id of this.#outstanding.keys()) this.#remove(id);
    await Promise.race([Promise.allSettled(this.#removals), sleep(5000, undefined, { ref: false })]);
  }
}

/** Ids must be no numbers. */
function idOf({ key }: Point): string {
  return `p${key}`;
}

function isConnectionError(error: unknown): boolean {
  return error instanceof Error && /connection|ECONN|EPIPE|LOADING|closed|timed? ?out/i.test(error.message);
}
