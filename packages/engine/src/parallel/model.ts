import type { Actor, ActorId, Time } from '../actor.ts';
import type { RecordShape } from './message-codec.ts';

/** What a model's module exports as `createActors`: the actors of some ids, in their order. */
export type CreateActors = (data: unknown, ids: readonly ActorId[]) => readonly Actor[] | Promise<readonly Actor[]>;

/** A simulation that threads can build their parts of. */
export interface ShardedModel {
  /** Address (URL) of a built JavaScript module that exports `createActors`. */
  readonly module: string;
  /** What `createActors` gets; goes to other threads packed by msgpackr. */
  readonly data: unknown;
  /** Name of every actor, by id. */
  readonly names: readonly string[];
  /** Messages that are frequent and carry numbers only. */
  readonly shapes: readonly RecordShape[];
  /**
   * Least delay of a message from one actor to another of another shard, ps, more than 0; Infinity where none is sent.
   * This is what shards promise one another by; a breach stops the run.
   */
  lookahead(from: ActorId, to: ActorId): Time;
  /** Actors that say when they wait for other shards (`Actor.awaitsOthers`), and else hold up nothing; none if absent. */
  readonly patient?: readonly ActorId[];
  /** Actors that can only live in the calling thread, in the first shard; all others come from the module. */
  readonly local?: ReadonlyMap<ActorId, Actor>;
}
