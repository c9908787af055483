export { type Interruptions, interruptions } from './interruptions.ts';
export { type QueueOptions, QueueRuns } from './queue-runs.ts';
export { runWorker, type WorkerOptions } from './run-worker.ts';
