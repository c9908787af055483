import type { Time } from '../actor.ts';
import { loadTime, storeTime } from './shared-time.ts';

const LINE = 64;
const WORDS = LINE / 4;
const DOUBLES = LINE / 8;

/** 32-bit words of the first line. */
const STOP = 0;
/** The bound, and who is writing it. */
const BOUND = 4;
const BOUND_LOCK = 8;
/** Whether an actor has failed, and the earliest time at which one has; who is writing it. */
const FAILED = 9;
const FAILURE = 10;
const FAILURE_LOCK = 13;
/** 32-bit words of a shard's line. */
const EPOCH = 0;
const SENT = 1;
const RECEIVED = 2;
const CLOCK = 4;
const NEXT = 8;
/** Counts what a sleeping shard is woken by. */
const WAKE = 11;
/** `AWAKE`, or 1 + the shard whose clock holds a sleeping one back. */
const HELD_BY = 12;
const AWAKE = 0;
/** Doubles of a shard's line: the executor's trace, and events handled. */
const TRACE = 3;

/** Why a run is told to stop. */
export const STOPPED = { running: 0, aborted: 1, limit: 2 } as const;

/** What a shard is handling, or handled last. */
export interface Trace {
  readonly actor: number;
  readonly time: Time;
  /** What it said it was about, or -1. */
  readonly subject: number;
  readonly events: number;
}

/**
 * What the shards of a run know of one another, in shared memory: each shard's clock (nothing it does from now on comes
 * before it), whether it is blocked, and from that a bound that holds for all.
 */
export class SharedState {
  readonly shards: number;
  private readonly words: Int32Array;
  private readonly doubles: Float64Array;
  private readonly epochs: Int32Array;

  /** Memory for so many shards. */
  static memory(shards: number): SharedArrayBuffer {
    return new SharedArrayBuffer((1 + 2 * shards) * LINE);
  }

  constructor(memory: SharedArrayBuffer) {
    this.shards = (memory.byteLength / LINE - 1) / 2;
    this.words = new Int32Array(memory, 0, (1 + this.shards) * WORDS);
    this.doubles = new Float64Array(memory, (1 + this.shards) * LINE, this.shards * DOUBLES);
    this.epochs = new Int32Array(this.shards);
  }

  /** Nothing that a shard does from now on comes before this. */
  clock(shard: number): Time {
    return loadTime(this.words, (1 + shard) * WORDS + CLOCK);
  }

  /** Sets that, and wakes those whom it held back. */
  setClock(shard: number, time: Time): void {
    storeTime(this.words, (1 + shard) * WORDS + CLOCK, time);
    for (let s = 0; s < this.shards; s++) {
      if (Atomics.load(this.words, (1 + s) * WORDS + HELD_BY) === 1 + shard) this.notify(s);
    }
  }

  /** No event of the whole simulation comes before this; it grows only when all shards are blocked. */
  bound(): Time {
    return loadTime(this.words, BOUND);
  }

  /** A shard can do nothing before others have; `next` is its earliest event, and counts are of messages so far. */
  block(shard: number, next: Time, sent: number, received: number): void {
    const at = (1 + shard) * WORDS;
    storeTime(this.words, at + NEXT, next);
    Atomics.store(this.words, at + SENT, sent | 0);
    Atomics.store(this.words, at + RECEIVED, received | 0);
    Atomics.add(this.words, at + EPOCH, 1);
  }

  /** It goes on. */
  unblock(shard: number): void {
    Atomics.add(this.words, (1 + shard) * WORDS + EPOCH, 1);
  }

  /**
   * Raises the bound where all shards are blocked at once and no message is under way: seen blocked in one pass, and in
   * a second one not to have moved since. Their earliest event is then the earliest of all; without one the run is over.
   */
  detect(): void {
    let next = Number.POSITIVE_INFINITY;
    let underWay = 0;
    for (let s = 0; s < this.shards; s++) {
      const at = (1 + s) * WORDS;
      const epoch = Atomics.load(this.words, at + EPOCH);
      // Odd: blocked.
      if ((epoch & 1) === 0) return;
      this.epochs[s] = epoch;
      underWay = (underWay + Atomics.load(this.words, at + SENT) - Atomics.load(this.words, at + RECEIVED)) | 0;
      next = Math.min(next, loadTime(this.words, at + NEXT));
    }
    if (underWay !== 0) return;
    for (let s = 0; s < this.shards; s++) {
      if (Atomics.load(this.words, (1 + s) * WORDS + EPOCH) !== this.epochs[s]) return;
    }
    this.raiseBound(next);
  }

  /**
   * A shard sleeps until the clock of the one that holds it back moves, a message has come or something concerns all, for so
   * many ms at the most. Only they are woken for whom something has changed: with many threads on few cores each needless
   * look around costs as much as the rest.
   *
   * @param stillBlocked looks again, as what it waits for may have come before others could see that it sleeps
   */
  sleep(shard: number, heldBy: number, milliseconds: number, stillBlocked: () => boolean): void {
    const at = (1 + shard) * WORDS;
    const before = Atomics.load(this.words, at + WAKE);
    Atomics.store(this.words, at + HELD_BY, 1 + heldBy);
    if (stillBlocked()) Atomics.wait(this.words, at + WAKE, before, milliseconds);
    Atomics.store(this.words, at + HELD_BY, AWAKE);
  }

  /** There is a message for a shard. */
  wake(shard: number): void {
    if (Atomics.load(this.words, (1 + shard) * WORDS + HELD_BY) !== AWAKE) this.notify(shard);
  }

  /** Tells all shards to stop, for a reason of `STOPPED`. */
  stop(reason: number): void {
    Atomics.store(this.words, STOP, reason);
    this.wakeAll();
  }

  get stopped(): number {
    return Atomics.load(this.words, STOP);
  }

  /** An actor has failed at a time: the run goes on to there, as another may have failed before. */
  fail(time: Time): void {
    const { words } = this;
    while (Atomics.compareExchange(words, FAILURE_LOCK, 0, 1) !== 0);
    if (time < this.failure()) {
      storeTime(words, FAILURE, time);
      Atomics.store(words, FAILED, 1);
    }
    Atomics.store(words, FAILURE_LOCK, 0);
    this.wakeAll();
  }

  /** The earliest time at which an actor has failed; Infinity if none has. */
  failure(): Time {
    return Atomics.load(this.words, FAILED) === 0 ? Number.POSITIVE_INFINITY : loadTime(this.words, FAILURE);
  }

  /** Where a shard's executor notes what it handles. */
  trace(shard: number): Float64Array {
    return this.doubles.subarray(shard * DOUBLES, shard * DOUBLES + TRACE);
  }

  /** What a shard is handling. */
  traceOf(shard: number): Trace {
    const [actor = 0, time = 0, subject = -1, events = 0] = this.doubles.subarray(shard * DOUBLES);
    return { actor, time, subject, events };
  }

  /** Tells how many events a shard has handled. */
  setEvents(shard: number, events: number): void {
    this.doubles[shard * DOUBLES + TRACE] = events;
  }

  private raiseBound(to: Time): void {
    const { words } = this;
    // Who finds it being raised looks again later.
    if (Atomics.compareExchange(words, BOUND_LOCK, 0, 1) !== 0) return;
    const raised = loadTime(words, BOUND) < to;
    if (raised) storeTime(words, BOUND, to);
    Atomics.store(words, BOUND_LOCK, 0);
    if (raised) this.wakeAll();
  }

  private wakeAll(): void {
    for (let s = 0; s < this.shards; s++) this.notify(s);
  }

  private notify(shard: number): void {
    const at = (1 + shard) * WORDS + WAKE;
    Atomics.add(this.words, at, 1);
    Atomics.notify(this.words, at);
  }
}
