// The thread of the pool in local/local-runs.ts: its messages are a Task, its answers a TaskResult.
import { workerData } from 'node:worker_threads';
import type { Job, Outcome, Text } from './job/job.ts';
import { JobRunner } from './job/run-job.ts';

export interface Task {
  readonly job: Job;
  /** Texts that the thread may not have yet. */
  readonly texts?: readonly (readonly [string, Text])[];
}

export interface TaskResult {
  readonly outcome: Outcome;
  /** Milliseconds of wall clock. */
  readonly duration: number;
}

const texts = new Map<string, Text>(workerTexts());
const runner = new JobRunner(texts);

export async function runTask({ job, texts: more = [] }: Task): Promise<TaskResult> {
  for (const [key, text] of more) texts.set(key, text);
  const begin = performance.now();
  const outcome = await runner.run(job);
  return { outcome, duration: performance.now() - begin };
}

function workerTexts(): readonly (readonly [string, Text])[] {
  // piscina hands on workerData as the second of its own.
  const data = (Array.isArray(workerData) ? workerData[1] : workerData) as { texts?: [string, Text][] } | undefined;
  return data?.texts ?? [];
}

// biome-ignore lint/style/noDefaultExport: piscina calls a thread's default export.
export default runTask;
