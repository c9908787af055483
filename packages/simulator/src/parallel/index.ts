export type { Workers } from './sharding.ts';
export { type HostCodeParallelOptions, simulateHostCodeParallel } from './simulate-host-code-parallel.ts';
export {
  type ParallelOptions,
  type ParallelRun,
  type ShardProgress,
  SimulationLost,
  simulateParallel,
} from './simulate-parallel.ts';
