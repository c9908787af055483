import { createRequire } from 'node:module';
import { availableParallelism, freemem } from 'node:os';
import { pathToFileURL } from 'node:url';
import { Piscina } from 'piscina';
import type { Text, Texts } from '../job/job.ts';
import type { Task, TaskResult } from '../worker.ts';

/** Bytes that a thread and its simulation are reckoned with. */
const MEMORY_OF_THREAD = 256 * 2 ** 20;

/** Of short-lived objects, MB: with less, threads wait for each other's collections much of the time. */
const YOUNG_OF_THREAD = 64;

/** As many threads as there are cores, fewer where memory is short. */
export function defaultThreads(): number {
  return Math.max(1, Math.min(availableParallelism(), Math.floor(freemem() / MEMORY_OF_THREAD)));
}

/** Threads that simulate. */
export interface Pool {
  run(task: Task): Promise<TaskResult>;
  close(): Promise<void>;
}

export function startPool(threads: number, texts: Texts = new Map<string, Text>()): Pool {
  const worker = createRequire(import.meta.url).resolve('@griddep/sweep/worker');
  const pool = new Piscina({
    filename: pathToFileURL(worker).href,
    minThreads: threads,
    maxThreads: threads,
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_OF_THREAD },
    workerData: { texts: [...texts] },
  });
  return {
    run: (task) => pool.run(task) as Promise<TaskResult>,
    close: () => pool.destroy(),
  };
}
