import { setTimeout as sleep } from 'node:timers/promises';
import { WaitingError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { sha256, type Text } from '../job/job.ts';
import { startPool } from '../local/pool.ts';
import { SweepError } from '../sweep-error.ts';
import { VERSION } from '../version.ts';
import { connect, KEYS, problem, QUEUE, readAddress } from './connection.ts';
import { type Answer, type Order, textKeys } from './message.ts';
import { onceEach } from './once-each.ts';

/** A run is lost with its worker so often, at most, before it fails: machines go away, but one that kills every worker ends. */
const MOST_STALLS = 20;
/** So long does a worker that quits wait for Redis to take its runs back. */
const QUIT_MS = 2000;

export interface WorkerOptions {
  readonly threads: number;
  /** After so many seconds without a sign of life another worker takes a run. */
  readonly lockSeconds?: number;
  readonly password?: string | undefined;
  readonly tell?: (text: string) => void;
  /** Takes no more runs; ends when those that have begun are done. */
  readonly stop: AbortSignal;
  /** Ends at once: what has begun goes back on the queue, for others. */
  readonly quit?: AbortSignal;
}

/**
 * Takes runs from a queue until `stop` or `quit`. Simulations run in threads, so that this one can say that they are alive.
 *
 * @throws SweepError where Redis cannot be used, or every sweep there is of another version
 */
export async function runWorker(url: string, options: WorkerOptions): Promise<void> {
  const { threads, lockSeconds = 30, password, tell = () => {}, stop, quit } = options;
  const address = readAddress(url, password);
  const redis = await connect(address);
  try {
    await checkVersions(redis);
  } catch (error) {
    redis.disconnect();
    throw error;
  }
  const texts = new TextCache(redis);
  const pool = startPool(threads);
  const quitting = aborted(quit);
  const answerTo = async ({ version, job }: Order, attempt: number): Promise<Answer> => {
    if (version !== VERSION) throw new Error(`the run is of version ${version}, this worker of ${VERSION}`);
    const { outcome, duration } = await pool.run({ job, texts: await texts.get(textKeys(job)) });
    return { version: VERSION, outcome, duration, attempt };
  };
  const worker = new Worker<Order, Answer>(
    QUEUE,
    async (order, token) => {
      const answer = await Promise.race([answerTo(order.data, order.attemptsStarted), quitting]);
      if (answer !== undefined) return answer;
      // Where this fails the run is still locked, and others find that its worker is silent. It has not failed itself.
      await order.moveToWait(token).catch(() => {});
      throw new WaitingError();
    },
    {
      connection: address.options,
      concurrency: threads,
      lockDuration: lockSeconds * 1000,
      stalledInterval: lockSeconds * 1000,
      maxStalledCount: MOST_STALLS,
    },
  );
  const warn = onceEach((text) => tell(`${address.shown}: ${text}`));
  const onError = (error: Error) => warn(problem(error));
  redis.on('error', onError);
  worker.on('error', onError);
  await Promise.race([worker.waitUntilReady(), quitting]);
  tell(`${address.shown}: taking runs with ${threads} threads`);
  await Promise.race([aborted(stop), quitting]);
  // Redis may be away, and what is put back waits for it.
  await Promise.race([worker.close(), quitting.then(() => sleep(QUIT_MS))]);
  await pool.close();
  redis.disconnect();
}

/** Resolves once the signal is aborted; never without one. */
function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve();
    else signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** A worker that no sweep could use should say so, not wait. */
async function checkVersions(redis: Redis): Promise<void> {
  const versions = new Set<string>();
  let cursor = '0';
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', KEYS.coordinators, 'COUNT', 100);
    for (const version of keys.length === 0 ? [] : await redis.mget(keys)) if (version !== null) versions.add(version);
    cursor = next;
  } while (cursor !== '0');
  if (versions.size === 0 || versions.has(VERSION)) return;
  throw new SweepError(
    `the sweep is of version ${[...versions].join(', ')}, this worker of ${VERSION}: they have to match`,
  );
}

/** Texts by their SHA-256, fetched once. */
class TextCache {
  readonly #redis: Redis;
  readonly #texts = new Map<string, Text>();

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  async get(keys: readonly string[]): Promise<(readonly [string, Text])[]> {
    return Promise.all(keys.map(async (key) => [key, this.#texts.get(key) ?? (await this.#fetch(key))] as const));
  }

  async #fetch(key: string): Promise<Text> {
    const stored = await this.#redis.get(KEYS.text(key));
    if (stored === null) throw new Error(`the text ${key} is not in Redis any more`);
    const text = JSON.parse(stored) as Text;
    if (sha256(text.text) !== key) throw new Error(`the text ${key} in Redis is another`);
    this.#texts.set(key, text);
    return text;
  }
}
