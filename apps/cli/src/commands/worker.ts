import { defaultThreads } from '@griddep/sweep';
import { EXIT } from '../exit-codes.ts';
import { warn } from '../output/stdout.ts';

export interface WorkerOptions {
  readonly queue: string;
  readonly threads?: number;
  readonly lockSeconds: number;
}

/** `griddep worker --queue URL`: takes runs until it is interrupted; what has begun is finished first. */
export async function worker({ queue, threads = defaultThreads(), lockSeconds }: WorkerOptions): Promise<number> {
  const { runWorker } = await import('@griddep/sweep/queue');
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort());
  await runWorker(queue, {
    threads,
    lockSeconds,
    password: process.env.GRIDDEP_REDIS_PASSWORD,
    tell: warn,
    signal: stop.signal,
  });
  return EXIT.ok;
}
