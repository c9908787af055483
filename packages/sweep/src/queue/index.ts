export { QueueRuns, type QueueOptions } from './queue-runs.ts';
export { runWorker, type WorkerOptions } from './run-worker.ts';
