export type { Actor, ActorId, Context, Message, Priority, Time } from './actor.ts';
export { MAX_PRIORITY } from './actor.ts';
export { EventQueue, MAX_ACTORS } from './event-queue.ts';
export { ActorFault, TimeOverflow } from './executor.ts';
export type { InterimResult } from './interim.ts';
export {
  type RunOptions,
  type RunResult,
  runSequential,
  runSuspendable,
  type SuspendableOptions,
} from './sequential.ts';
