export { NoLookahead, PromiseBreach, RunAborted, ShardLost, TooManyThreads } from './faults.ts';
export type { RecordShape } from './message-codec.ts';
export type { CreateActors, ShardedModel } from './model.ts';
export { moduleUrl } from './module-url.ts';
export { nextTurn } from './next-turn.ts';
export { type Progress, runSharded, type ShardedOptions, type ShardedResult } from './run-sharded.ts';
export type { ShardStatistics } from './shard.ts';
export { ThreadPool } from './thread-pool.ts';
export { cores, mostThreads } from './threads.ts';
