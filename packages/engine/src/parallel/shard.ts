import type { Actor, ActorId, Message, Time } from '../actor.ts';
import { ActorFault, Executor } from '../executor.ts';
import { PromiseBreach } from './faults.ts';
import { Inbox } from './inbox.ts';
import type { InterimSetup } from './interim-channel.ts';
import { Jitter } from './jitter.ts';
import { MessageCodec, type RecordShape } from './message-codec.ts';
import { Outbox } from './outbox.ts';
import { Reader } from './reader.ts';
import { SharedState, STOPPED } from './shared-state.ts';

/** Events between two looks at the other shards: as many as take about so long, ms; what waits elsewhere waits no longer. */
const BATCH_MS = 0.03;
const BATCH = { least: 4, first: 64, most: 512 };
/** Looks at the others before a blocked shard sleeps. */
const SPINS = 1000;
/** A sleeping shard looks up after so many ms for each shard there is, whatever happens: all together look as often, however many. */
const NAP_PER_SHARD = 1;
/** Looks between two attempts to find that all are blocked. */
const DETECT_EVERY = 16;

/** What all shards of a run are built with. */
export interface ShardSetup {
  readonly index: number;
  /** Shard of every actor. */
  readonly shardOf: Uint16Array;
  /** Least delay of a message from a shard to another, ps: row by sender. */
  readonly lookahead: Float64Array;
  /** The same for messages to actors that are not patient, and to each that is, by its id. */
  readonly strict: Float64Array;
  readonly patient: readonly { readonly actor: ActorId; readonly least: Float64Array }[];
  readonly names: readonly string[];
  readonly shapes: readonly RecordShape[];
  readonly state: SharedArrayBuffer;
  readonly inboxes: readonly SharedArrayBuffer[];
  /** There is a core for every shard: those that wait may spin. */
  readonly spin: boolean;
  /** Draws pauses, see `Jitter`. */
  readonly jitter: number | undefined;
  /** Where somebody hears interim results. */
  readonly interim: InterimSetup | undefined;
}

/** How a shard did; times are wall time, and nothing of the simulation depends on them. */
export interface ShardStatistics {
  readonly actors: number;
  readonly events: number;
  /** Messages to and from other shards. */
  readonly sent: number;
  readonly received: number;
  /** How often it promised more to the others. */
  readonly promises: number;
  /** Mean virtual time that its promises grew by, ps. */
  readonly lookahead: number;
  /** Share of its time that it waited for others. */
  readonly blocked: number;
}

/** How a slice ended. */
export type SliceOutcome = 'done' | 'stopped' | 'slice' | 'suspended';

/**
 * A part of the actors in one thread. It handles events up to the least of the others' promises; a promise is the
 * shard's clock plus the least delay of a message from it.
 */
export class Shard {
  readonly executor: Executor;
  private readonly setup: ShardSetup;
  private readonly state: SharedState;
  private readonly inbox: Inbox;
  private readonly reader: Reader;
  private readonly outboxes: (Outbox | undefined)[];
  /** Patient actors that live here, with the least delay of a message to each, by shard. */
  private readonly patient: readonly { readonly actor: Actor; readonly least: Float64Array }[];
  /** By shard: nothing that it sends from now on comes before this. */
  private readonly promised: Float64Array;
  /** The same before the inbox was emptied last: what has come since must keep to it. */
  private readonly kept: Float64Array;
  /** By shard, its clock as read last. */
  private readonly clocks: Float64Array;
  private horizon: Time = 0;
  /** The shard whose promise is the horizon; this one where there is no other. */
  private heldBy = 0;
  private clock: Time = -1;
  private batch = BATCH.first;
  private sent = 0;
  private received = 0;
  private promises = 0;
  private blockedMs = 0;
  private totalMs = 0;
  private readonly jitter: Jitter | undefined;
  private failed: ActorFault | undefined;
  private readonly receive = this.take.bind(this);
  /** Looks now and then at what the actors have recorded. */
  observer: { look(before: Time): void } | undefined;

  /** @param actors those that live here, undefined for the others */
  constructor(setup: ShardSetup, actors: readonly (Actor | undefined)[]) {
    const { index, inboxes, names } = setup;
    const codec = new MessageCodec(setup.shapes);
    this.setup = setup;
    this.jitter = setup.jitter === undefined ? undefined : new Jitter(setup.jitter, index);
    this.state = new SharedState(setup.state);
    this.inbox = new Inbox(inboxes[index] as SharedArrayBuffer);
    this.reader = new Reader(this.inbox, codec);
    this.outboxes = inboxes.map((memory, s) => (s === index ? undefined : new Outbox(new Inbox(memory), codec)));
    this.promised = new Float64Array(inboxes.length);
    this.kept = new Float64Array(inboxes.length);
    this.clocks = new Float64Array(inboxes.length);
    this.patient = setup.patient.flatMap(({ actor: id, least }) => {
      const actor = actors[id];
      return actor === undefined ? [] : [{ actor, least }];
    });
    this.executor = new Executor({
      actors,
      names,
      ...(this.patient.length === 0 ? {} : { patient: patientOf(setup) }),
      trace: this.state.trace(index),
      remote: (target, at, source, sequence, message) => {
        this.sent++;
        const shard = setup.shardOf[target] as number;
        (this.outboxes[shard] as Outbox).add(target, at, source, sequence, message);
      },
    });
  }

  /** What one of its actors did that ended it; known at the end. */
  get fault(): ActorFault | undefined {
    return this.failed;
  }

  /** Starts the actors. */
  start(): void {
    this.unlessFailed(() => this.executor.start());
    this.flush();
  }

  /** Goes on for about so many ms, or until the run is over. */
  slice(milliseconds: number): SliceOutcome {
    const began = performance.now();
    try {
      for (let steps = 1; ; steps++) {
        if (this.isOver()) return 'stopped';
        const progressed = this.step();
        // Only the actor's own answer can go on from here, and the clock stays at its event.
        if (this.executor.suspended !== undefined && this.failed === undefined) return 'suspended';
        if (!progressed) {
          const outcome = this.waitForOthers(began + milliseconds);
          if (outcome !== undefined) return outcome;
        }
        if ((steps & 15) !== 0) continue;
        this.observer?.look(this.executor.now);
        if (performance.now() - began > milliseconds) return 'slice';
      }
    } finally {
      this.totalMs += performance.now() - began;
    }
  }

  /** How it has done so far. */
  statistics(): ShardStatistics {
    const { sent, received, promises, executor, setup } = this;
    const reached = Math.max(0, executor.now);
    return {
      actors: setup.shardOf.reduce((count, shard) => count + (shard === setup.index ? 1 : 0), 0),
      events: executor.events,
      sent,
      received,
      promises,
      lookahead: promises === 0 ? 0 : reached / promises,
      blocked: this.totalMs === 0 ? 0 : this.blockedMs / this.totalMs,
    };
  }

  /** Handles what the others' promises allow; false if that was nothing. */
  private step(): boolean {
    this.jitter?.pause();
    this.lookAround();
    const received = this.reader.drain(this.receive);
    this.received += received;
    this.kept.set(this.promised);
    const began = performance.now();
    const before = this.executor.events;
    this.unlessFailed(() => this.executor.run(this.until(), this.batch));
    const events = this.executor.events - before;
    if (this.patient.length > 0) this.setHorizon();
    if (events === this.batch) this.adapt(performance.now() - began);
    this.flush();
    this.publish();
    if (events > 0) this.state.setEvents(this.setup.index, this.executor.events);
    return events > 0 || received > 0;
  }

  /** After a failure nothing happens here; messages are taken and lead to nothing. */
  private unlessFailed(work: () => void): void {
    if (this.failed !== undefined) return;
    try {
      work();
    } catch (error) {
      if (!(error instanceof ActorFault)) throw error;
      this.failed = error;
      this.state.fail(error.where.time);
    }
  }

  /** Events before it are handled: those that the others' promises allow, and none that come after a failure. */
  private until(): Time {
    return Math.min(this.horizon, this.state.failure() + 1);
  }

  /** The earliest event still to be handled here. */
  private next(): Time {
    return this.failed === undefined ? this.executor.nextTime : Number.POSITIVE_INFINITY;
  }

  /** Stopped, or past the moment at which an actor has failed: no other can have failed before. */
  private isOver(): boolean {
    if (this.state.stopped !== STOPPED.running) return true;
    const failure = this.state.failure();
    return failure < this.clock && this.clocks.every((clock, s) => s === this.setup.index || clock > failure);
  }

  /** A batch is to take the time that it should. */
  private adapt(took: number): void {
    if (took > 2 * BATCH_MS) this.batch = Math.max(BATCH.least, this.batch >> 1);
    else if (took < BATCH_MS / 2) this.batch = Math.min(BATCH.most, this.batch << 1);
  }

  /** Reads the others' clocks. What they sent before they set them lies in the inbox. */
  private lookAround(): void {
    const { state, promised } = this;
    const { index, lookahead } = this.setup;
    const { shards } = state;
    const bound = state.bound();
    for (let s = 0; s < shards; s++) {
      if (s === index) continue;
      const clock = Math.max(state.clock(s), bound);
      this.clocks[s] = clock;
      promised[s] = clock + (lookahead[s * shards + index] as number);
    }
    this.setHorizon();
  }

  /** Events before it can be handled, by the clocks read last and what the patient actors wait for now. */
  private setHorizon(): void {
    let horizon = Number.POSITIVE_INFINITY;
    let heldBy = this.setup.index;
    for (let s = 0; s < this.clocks.length; s++) {
      if (s === this.setup.index) continue;
      const matters = (this.clocks[s] as number) + this.leastThatMatters(s);
      if (matters >= horizon) continue;
      horizon = matters;
      heldBy = s;
    }
    this.horizon = horizon;
    this.heldBy = heldBy;
  }

  /** Least delay of a message from another shard that makes a difference here as things are. */
  private leastThatMatters(from: number): number {
    let least = this.setup.strict[from * this.state.shards + this.setup.index] as number;
    for (const { actor, least: own } of this.patient) {
      if ((own[from] as number) < least && actor.awaitsOthers?.() !== false) least = own[from] as number;
    }
    return least;
  }

  private take(target: ActorId, at: Time, source: ActorId, sequence: number, message: Message): void {
    const { shardOf, names } = this.setup;
    const promise = this.kept[shardOf[source] as number] as number;
    if (at < promise) {
      throw new PromiseBreach(
        `"${message.type}" from ${names[source]} to ${names[target]} arrives at ${at} ps, and its shard had promised nothing before ${promise} ps`,
      );
    }
    if (this.failed === undefined) this.executor.arrive(target, at, source, sequence, message);
  }

  private flush(): void {
    if (this.jitter?.holdsBack() === true) return;
    this.outboxes.forEach((outbox, shard) => {
      if (outbox !== undefined && outbox.flush() > 0) this.state.wake(shard);
    });
  }

  /** Nothing comes from here before the next event or what others may still send, and what waits has not gone yet. */
  private publish(): void {
    const { index, lookahead } = this.setup;
    const { shards } = this.state;
    let clock = Math.min(this.next(), this.horizon);
    for (let s = 0; s < shards; s++) {
      const outbox = this.outboxes[s];
      if (outbox === undefined || outbox.waiting === 0) continue;
      clock = Math.min(clock, outbox.earliest() - (lookahead[index * shards + s] as number));
    }
    if (clock <= this.clock) return;
    this.clock = clock;
    this.promises++;
    this.state.setClock(index, clock);
  }

  /** Waits until there is something to do; says if there never is, or if the slice is over. */
  private waitForOthers(until: number): SliceOutcome | undefined {
    const { state } = this;
    const { index, spin } = this.setup;
    const began = performance.now();
    const next = this.next();
    state.block(index, next, this.sent, this.received);
    try {
      for (let looks = 0; ; looks++) {
        if (this.isOver()) return 'stopped';
        if (state.bound() === Number.POSITIVE_INFINITY) return 'done';
        if (this.mayGoOn(next)) return undefined;
        if (looks % DETECT_EVERY === 0) state.detect();
        if (looks >= (spin ? SPINS : 0)) {
          if (performance.now() > until) return 'slice';
          this.observer?.look(this.executor.now);
          state.detect();
          const { heldBy } = this;
          const stillBlocked = () => !this.mayGoOn(next) && this.heldBy === heldBy && state.stopped === STOPPED.running;
          state.sleep(index, heldBy, NAP_PER_SHARD * state.shards, stillBlocked);
        }
      }
    } finally {
      state.unblock(index);
      this.blockedMs += performance.now() - began;
    }
  }

  private mayGoOn(next: Time): boolean {
    this.lookAround();
    // What came before those clocks has to be taken before anything is promised by them.
    if (!this.inbox.isEmpty) return true;
    this.kept.set(this.promised);
    this.flush();
    this.publish();
    return next < this.until();
  }
}

function patientOf({ patient, names }: ShardSetup): Uint8Array {
  const marks = new Uint8Array(names.length);
  for (const { actor } of patient) marks[actor] = 1;
  return marks;
}
