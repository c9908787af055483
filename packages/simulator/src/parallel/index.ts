export type { Workers } from './sharding.ts';
export { type ParallelOptions, type ParallelRun, type ShardProgress, simulateParallel } from './simulate-parallel.ts';
