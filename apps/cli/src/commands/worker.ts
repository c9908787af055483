import { defaultThreads } from '@griddep/sweep';
import { EXIT } from '../exit-codes.ts';
import { warn } from '../output/stdout.ts';

export interface WorkerOptions {
  readonly queue: string;
  readonly threads?: number;
  readonly lockSeconds: number;
}

/** `griddep worker --queue URL`: takes runs until it is interrupted; what has begun is finished first, or left when interrupted again. */
export async function worker({ queue, threads = defaultThreads(), lockSeconds }: WorkerOptions): Promise<number> {
  const { interruptions, runWorker } = await import('@griddep/sweep/queue');
  const { stop, quit } = interruptions();
  stop.addEventListener('abort', () => warn('ends with the runs that have begun; once more leaves them to others'));
  const password = process.env.GRIDDEP_REDIS_PASSWORD;
  await runWorker(queue, { threads, lockSeconds, password, tell: warn, stop, quit });
  return quit.aborted ? EXIT.interrupted : EXIT.ok;
}
