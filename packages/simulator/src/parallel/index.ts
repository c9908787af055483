export type { Workers } from './sharding.ts';
export {
  type ParallelOptions,
  type ParallelRun,
  type ShardProgress,
  SimulationLost,
  simulateParallel,
} from './simulate-parallel.ts';
