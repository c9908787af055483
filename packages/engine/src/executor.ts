import {
  type Actor,
  type ActorId,
  type Context,
  MAX_PRIORITY,
  type Message,
  type Priority,
  type Time,
} from './actor.ts';
import { EventQueue } from './event-queue.ts';

/** Codes below those of timers. */
const MESSAGE = -1;
const START = -2;

/** Takes messages to actors that live elsewhere. */
export type Remote = (
  target: ActorId,
  at: Time,
  source: ActorId,
  sequence: number,
  message: Message,
  sentAt: Time,
) => void;

/** What an executor is made of. */
export interface ExecutorSpec {
  /** By actor id; undefined for an actor that lives elsewhere. */
  readonly actors: readonly (Actor | undefined)[];
  /** Names by actor id, also of those elsewhere. */
  readonly names: readonly string[];
  /** Where messages to actors elsewhere go; without it there are none. */
  readonly remote?: Remote;
  /** By actor id, 1 for those that messages from elsewhere may reach late; `run` ends after each event of one. */
  readonly patient?: Uint8Array;
  /** Told what is being handled, for those who look when the thread has ended: actor, time, subject. */
  readonly trace?: Float64Array;
}

/** Runs actors in one thread, in the total order of one event queue: the whole simulation, or one shard of it. */
export class Executor implements Context {
  readonly queue = new EventQueue();
  private readonly sequences: Float64Array;
  private readonly actors: readonly (Actor | undefined)[];
  private readonly names: readonly string[];
  private readonly remote: Remote | undefined;
  /** Messages between different actors that were sent here. */
  messages = 0;
  events = 0;
  /** What has to settle before the present event is handled again, see `Context.suspend`. */
  suspended: Promise<unknown> | undefined;
  self: ActorId = 0;
  now: Time = 0;
  private readonly trace: Float64Array;
  private readonly patient: Uint8Array | undefined;
  /** A patient actor has handled something: it may wait for others from now on. */
  private turned = false;

  constructor({ actors, names, remote, patient, trace = new Float64Array(3) }: ExecutorSpec) {
    this.patient = patient;
    this.trace = trace;
    trace[2] = -1;
    this.actors = actors;
    this.names = names;
    this.remote = remote;
    this.sequences = new Float64Array(names.length);
  }

  /** Starts the actors that live here, in order of their ids. */
  start(): void {
    for (let id = 0; id < this.actors.length; id++) {
      const actor = this.actors[id];
      if (actor === undefined) continue;
      this.self = id;
      this.guarded(actor, START);
    }
  }

  /** Time of the earliest event that is not handled, or Infinity. */
  get nextTime(): Time {
    return this.suspended === undefined ? this.queue.nextTime : this.now;
  }

  /** Handles events before a time, at most `most` and to the next of a patient actor or one suspended; returns how many. */
  run(before: Time, most: number): number {
    const until = this.events + most;
    const from = this.events;
    this.turned = false;
    if (this.suspended !== undefined) this.again();
    // Nothing but a return after the loop: V8 enters loops half-way and knows nothing of code that it has not run yet.
    while (this.events < until && !this.turned && this.suspended === undefined && this.queue.popBefore(before))
      this.handle();
    return this.events - from;
  }

  /** The queue still shows the event that was suspended: nothing has been taken since. */
  private again(): void {
    this.suspended = undefined;
    this.guarded(this.actors[this.queue.target] as Actor, this.queue.code);
  }

  private handle(): void {
    const { queue, trace } = this;
    this.events++;
    this.now = queue.time;
    this.self = queue.target;
    trace[2] = -1;
    trace[0] = queue.target;
    trace[1] = queue.time;
    if (this.patient !== undefined && this.patient[queue.target] === 1) this.turned = true;
    this.guarded(this.actors[queue.target] as Actor, queue.code);
  }

  /** A message of an actor elsewhere, with the key that it was sent with. */
  arrive(target: ActorId, at: Time, source: ActorId, sequence: number, message: Message): void {
    const late = at < this.now;
    if (late && this.patient?.[target] !== 1) {
      throw this.fault(`is past what "${message.type}" from ${this.names[source]} is for, ${at} ps`);
    }
    if (this.patient?.[target] === 1) this.actors[target]?.foresee?.(message);
    this.queue.push(late ? this.now : at, 0, source, sequence, target, MESSAGE, 0, message);
  }

  /** See `Context.suspend`. */
  suspend(until: Promise<unknown>): void {
    this.suspended = until;
  }

  /** Names what the present event is about. */
  about(subject: number): void {
    this.trace[2] = subject;
  }

  /** Sends a message, see `Context.send`. */
  send(target: ActorId, delay: Time, message: Message): void {
    const at = this.now + delay;
    if (isBeyond(at)) throw this.fault(`sends "${message.type}" with a delay of ${delay} ps`, TimeOverflow);
    if (!(delay >= 0) || !Number.isInteger(delay) || !Number.isSafeInteger(at)) {
      throw this.fault(`sends "${message.type}" with a delay of ${delay} ps`);
    }
    if (target !== this.self) this.messages++;
    if (this.actors[target] !== undefined) {
      this.queue.push(at, 0, this.self, this.nextSequence(), target, MESSAGE, 0, message);
      return;
    }
    if (this.remote === undefined || this.names[target] === undefined) {
      throw this.fault(`sends "${message.type}" to actor ${target}, which is not there`);
    }
    this.remote(target, at, this.self, this.nextSequence(), message, this.now);
  }

  /** Sets a timer, see `Context.timer`. */
  timer(at: Time, priority: Priority, code: number, argument: number): void {
    if (isBeyond(at)) throw this.fault(`sets a timer at ${at} ps`, TimeOverflow);
    if (!(at >= this.now) || !Number.isSafeInteger(at)) throw this.fault(`sets a timer at ${at} ps`);
    if (!(priority >= 0 && priority <= MAX_PRIORITY) || !Number.isInteger(priority)) {
      throw this.fault(`sets a timer of priority ${priority}, 0 to ${MAX_PRIORITY} are possible`);
    }
    if (code < 0 || (code | 0) !== code) throw this.fault(`sets a timer of code ${code}, not an integer of 31 bits`);
    this.queue.push(at, priority, this.self, this.nextSequence(), this.self, code, argument, undefined);
  }

  private nextSequence(): number {
    const sequence = this.sequences[this.self] as number;
    this.sequences[this.self] = sequence + 1;
    return sequence;
  }

  private guarded(actor: Actor, code: number): void {
    const { queue } = this;
    try {
      if (code >= 0) actor.timer(code, queue.argument, this);
      else if (code === MESSAGE) actor.receive(queue.message as Message, queue.source, this);
      else actor.start?.(this);
    } catch (error) {
      if (error instanceof ActorFault) throw error;
      throw this.fault(`failed: ${error instanceof Error ? error.message : String(error)}`, ActorFault, error);
    }
  }

  private fault(what: string, Fault = ActorFault, cause?: unknown): ActorFault {
    const { self, now, names, trace } = this;
    const where = { actor: self, time: now, subject: trace[2] as number };
    return new Fault(`actor ${names[self] ?? self} ${what} (at ${now} ps)`, where, { cause });
  }
}

/** A time that is right but not exact; an infinite one is an error of the actor. */
function isBeyond(time: Time): boolean {
  return time > Number.MAX_SAFE_INTEGER && Number.isFinite(time);
}

/** What an actor was at. */
export interface Whereabouts {
  readonly actor: ActorId;
  readonly time: Time;
  /** What it said it was about (`Context.about`), or -1. */
  readonly subject: number;
}

/** An actor did what it may not, or threw. */
export class ActorFault extends Error {
  readonly where: Whereabouts;

  constructor(message: string, where: Whereabouts, options?: ErrorOptions) {
    super(message, options);
    this.where = where;
  }
}

/** An actor looks further ahead than picoseconds are exact in a number: 2^53 of them, 2.5 hours. */
export class TimeOverflow extends ActorFault {}
