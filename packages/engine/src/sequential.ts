import {
  type Actor,
  type ActorId,
  type Context,
  MAX_PRIORITY,
  type Message,
  type Priority,
  type Time,
} from './actor.ts';
import { EventQueue, MAX_ACTORS } from './event-queue.ts';

export interface RunOptions {
  /** Stops after this many events and reports `limit`; unlimited when absent. */
  readonly maxEvents?: number;
  /** Called now and then with the virtual time reached and the events done; the run goes on when it returns. */
  readonly onProgress?: (time: Time, events: number) => void;
  /** Events between two calls of `onProgress`; 65,536 when absent. */
  readonly progressEvery?: number;
}

export interface RunResult {
  /** `drained`: no event is left. */
  readonly outcome: 'drained' | 'limit';
  readonly time: Time;
  readonly events: number;
  /** Messages between different actors. */
  readonly messages: number;
}

/**
 * Runs all actors in one thread, in the total order of the event queue.
 *
 * @throws Error naming the actor and the time, if an actor schedules into the past, uses a time that is not an integer,
 * addresses an actor that is not there, or throws itself (its error is the cause); TimeOverflow for a time beyond exact
 * integers. What `onProgress` throws comes out
 * as it is.
 */
export function runSequential(actors: readonly Actor[], options: RunOptions = {}): RunResult {
  if (actors.length > MAX_ACTORS) throw new RangeError(`${actors.length} actors; at most ${MAX_ACTORS}`);
  const executor = new SequentialExecutor(actors);
  return executor.run(options);
}

/** Codes below those of timers. */
const MESSAGE = -1;
const START = -2;

class SequentialExecutor implements Context {
  private readonly queue = new EventQueue();
  private readonly sequences: Float64Array;
  private readonly actors: readonly Actor[];
  private messages = 0;
  self: ActorId = 0;
  now: Time = 0;

  constructor(actors: readonly Actor[]) {
    this.actors = actors;
    this.sequences = new Float64Array(actors.length);
  }

  run(options: RunOptions): RunResult {
    const { queue, actors } = this;
    const limit = options.maxEvents ?? Number.POSITIVE_INFINITY;
    const every = options.progressEvery ?? 65_536;
    for (let id = 0; id < actors.length; id++) {
      this.self = id;
      this.guarded(actors[id] as Actor, START);
    }
    let events = 0;
    let report = every;
    while (events < limit && queue.pop()) {
      this.now = queue.time;
      this.self = queue.target;
      this.guarded(actors[queue.target] as Actor, queue.code);
      events++;
      if (events === report) {
        report += every;
        options.onProgress?.(this.now, events);
      }
    }
    return { outcome: queue.size === 0 ? 'drained' : 'limit', time: this.now, events, messages: this.messages };
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

  send(target: ActorId, delay: Time, message: Message): void {
    const at = this.now + delay;
    if (isBeyond(at)) throw this.fault(`sends "${message.type}" with a delay of ${delay} ps`, TimeOverflow);
    if (!(delay >= 0) || !Number.isInteger(delay) || !Number.isSafeInteger(at)) {
      throw this.fault(`sends "${message.type}" with a delay of ${delay} ps`);
    }
    if (this.actors[target] === undefined) {
      throw this.fault(`sends "${message.type}" to actor ${target}, which is not there`);
    }
    if (target !== this.self) this.messages++;
    this.push(at, 0, target, MESSAGE, 0, message);
  }

  timer(at: Time, priority: Priority, code: number, argument: number): void {
    if (isBeyond(at)) throw this.fault(`sets a timer at ${at} ps`, TimeOverflow);
    if (!(at >= this.now) || !Number.isSafeInteger(at)) throw this.fault(`sets a timer at ${at} ps`);
    if (!(priority >= 0 && priority <= MAX_PRIORITY) || !Number.isInteger(priority)) {
      throw this.fault(`sets a timer of priority ${priority}, 0 to ${MAX_PRIORITY} are possible`);
    }
    if (code < 0 || (code | 0) !== code) throw this.fault(`sets a timer of code ${code}, not an integer of 31 bits`);
    this.push(at, priority, this.self, code, argument, undefined);
  }

  private push(
    time: Time,
    priority: Priority,
    target: ActorId,
    code: number,
    argument: number,
    message?: Message,
  ): void {
    const sequence = this.sequences[this.self] as number;
    this.sequences[this.self] = sequence + 1;
    this.queue.push(time, priority, this.self, sequence, target, code, argument, message);
  }

  private fault(what: string, Fault = ActorFault, cause?: unknown): ActorFault {
    return new Fault(`actor ${this.actors[this.self]?.name ?? this.self} ${what} (at ${this.now} ps)`, { cause });
  }
}

/** A time that is right but not exact; an infinite one is an error of the actor. */
function isBeyond(time: Time): boolean {
  return time > Number.MAX_SAFE_INTEGER && Number.isFinite(time);
}

class ActorFault extends Error {}

/** An actor looks further ahead than picoseconds are exact in a number: 2^53 of them, 2.5 hours. */
export class TimeOverflow extends ActorFault {}
