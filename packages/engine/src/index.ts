export type { Actor, ActorId, Context, Message, Priority, Time } from './actor.ts';
export { MAX_PRIORITY } from './actor.ts';
export { EventQueue, MAX_ACTORS } from './event-queue.ts';
export { type RunOptions, type RunResult, runSequential, TimeOverflow } from './sequential.ts';
