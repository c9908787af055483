import type { ActorId, Time } from '../actor.ts';
import { ActorFault, TimeOverflow, type Whereabouts } from '../executor.ts';

/** A message came earlier than its sender's shard had promised: a fault of a model's least delays, or of the engine. */
export class PromiseBreach extends Error {
  override readonly name = 'PromiseBreach';
}

/** A thread ended before its shard was done. */
export class ShardLost extends Error {
  override readonly name = 'ShardLost';
  readonly shard: number;
  /** The actor that was being handled, at which time, and what it was about (`Context.about`), or -1. */
  readonly actor: ActorId;
  readonly time: Time;
  readonly subject: number;

  constructor(message: string, shard: number, at: Whereabouts) {
    super(message);
    this.shard = shard;
    this.actor = at.actor;
    this.time = at.time;
    this.subject = at.subject;
  }
}

/** Two actors of different shards that may send to each other without a delay. */
export class NoLookahead extends RangeError {
  override readonly name = 'NoLookahead';
}

/** More threads than the machine can start. */
export class TooManyThreads extends RangeError {
  override readonly name = 'TooManyThreads';
}

/** A run that was told to stop. */
export class RunAborted extends Error {
  override readonly name = 'RunAborted';
}

/** An error as it goes from thread to thread; `where` of what an actor did. */
export interface PlainFault {
  readonly kind: 'fault' | 'overflow' | 'breach' | 'other';
  readonly message: string;
  readonly stack: string | undefined;
  readonly where?: Whereabouts;
}

export function plainFault(error: unknown): PlainFault {
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error ? error.stack : undefined;
  if (error instanceof ActorFault) {
    return { kind: error instanceof TimeOverflow ? 'overflow' : 'fault', message, stack, where: error.where };
  }
  if (error instanceof PromiseBreach) return { kind: 'breach', message, stack };
  return { kind: 'other', message, stack };
}

export function faultOf({ kind, message, stack, where }: PlainFault): Error {
  const error = made(kind, message, where);
  if (stack !== undefined) error.stack = stack;
  return error;
}

function made(kind: PlainFault['kind'], message: string, where: Whereabouts | undefined): Error {
  if (where !== undefined) return new (kind === 'overflow' ? TimeOverflow : ActorFault)(message, where);
  return new (kind === 'breach' ? PromiseBreach : Error)(message);
}

/** Of the faults of one run the one that a single thread would have met: the earliest, of one instant of the least actor. */
export function firstFault(faults: readonly ActorFault[]): ActorFault | undefined {
  return [...faults].sort(({ where: a }, { where: b }) => a.time - b.time || a.actor - b.actor)[0];
}
