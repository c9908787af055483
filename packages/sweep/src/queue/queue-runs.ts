import { randomUUID } from 'node:crypto';
import { Queue, QueueEvents } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Point, Texts } from '../job/job.ts';
import type { Finished, RunControl, Runs } from '../runs.ts';
import { VERSION } from '../version.ts';
import { type Address, connect, KEYS, problem, QUEUE, readAddress } from './connection.ts';
import { Coordination } from './coordination.ts';
import { onceEach } from './once-each.ts';

const DAY_S = 86_400;
const ANNOUNCE_S = 60;

export interface QueueOptions {
  readonly password?: string | undefined;
  readonly warn?: (text: string) => void;
}

/** Runs points through a BullMQ queue on Redis; the other end is run-worker.ts. */
export class QueueRuns implements Runs {
  readonly #redis: Redis;
  readonly #texts: Texts;
  readonly #queue: Queue;
  readonly #events: QueueEvents;
  readonly #announcing: NodeJS.Timeout;
  readonly #announcement = KEYS.coordinator(randomUUID());

  /** @throws SweepError where Redis cannot be used */
  static async connect(
    url: string,
    texts: Texts,
    { password, warn = () => {} }: QueueOptions = {},
  ): Promise<QueueRuns> {
    const address = readAddress(url, password);
    const redis = await connect(address);
    const runs = new QueueRuns(redis, address, texts, warn);
    await runs.#announce();
    await runs.#events.waitUntilReady();
    return runs;
  }

  private constructor(redis: Redis, { options, shown }: Address, texts: Texts, warn: (text: string) => void) {
    this.#redis = redis;
    this.#texts = texts;
    this.#queue = new Queue(QUEUE, { connection: options });
    this.#events = new QueueEvents(QUEUE, { connection: options });
    const tell = onceEach((error) => warn(`${shown}: ${error}`));
    const onError = (error: Error) => tell(problem(error));
    redis.on('error', onError);
    this.#queue.on('error', onError);
    this.#events.on('error', onError);
    this.#announcing = setInterval(() => void this.#announce().catch(() => {}), (ANNOUNCE_S * 1000) / 3);
  }

  async run(points: Iterable<Point>, tell: (finished: Finished) => void, { signal }: RunControl): Promise<void> {
    await new Coordination(this.#queue, this.#events, tell, signal).run(points);
  }

  async close(): Promise<void> {
    clearInterval(this.#announcing);
    await Promise.allSettled([this.#redis.del(this.#announcement), this.#events.close(), this.#queue.close()]);
    this.#redis.disconnect();
  }

  /** Workers of other versions refuse to start where they see this. Texts are given again, in case Redis has lost them. */
  async #announce(): Promise<void> {
    for (const [key, text] of this.#texts) await this.#redis.set(KEYS.text(key), JSON.stringify(text), 'EX', DAY_S);
    await this.#redis.set(this.#announcement, VERSION, 'EX', ANNOUNCE_S);
  }
}
