import type { CopyWork } from '@griddep/cuda';
import type { CauseKind } from '@griddep/timeline';
import type { Constraint } from '../lifts.ts';
import type { DeviceRecord, Held, SharedResource, SharedTime, Unfinished } from './device-record.ts';
import { type Wake, wakeDelays } from './waking.ts';
import { type Milestone, usesQueue, type Work } from './work.ts';

/** A milestone of another operation that a start waits for. */
export interface Condition {
  readonly milestone: Milestone;
  /** From the milestone to the earliest start, ps. */
  readonly latency: number;
  readonly cause: CauseKind;
  /** Since when it is waited for: the time at which it is asked for. */
  readonly from: number;
  /** How it wakes beside the other waiters of the milestone; undefined: with them. */
  readonly wake: Wake | undefined;
}

type Heard = (at: number, now: number) => void;

interface Subscriber {
  readonly operation: DeviceOperation;
  readonly condition: Condition;
}

const NONE: readonly number[] = [];
/** What most operations have none of; arrays of their own are made when there is something. */
const NO_OPERATIONS: DeviceOperation[] = [];
const NO_SUBSCRIBERS: readonly Subscriber[] = [];
const NO_LISTENERS: readonly never[] = [];
const NOTHING_SHARED: DeviceRecord['shared'] = [];
const NOTHING_LIFTED: ReadonlySet<Constraint> = new Set();
const NOTHING_TO_DO = { type: 'empty' } as const;

/**
 * An operation on a device: the conditions that its start waits for, the milestones that others wait for, and the
 * instants that the timeline records. Completion is in order: never before that of its predecessors (case family
 * `pdl-transitive-*`).
 */
export class DeviceOperation {
  readonly op: number;
  readonly stream: number;
  readonly work: Work;
  /** Operations whose milestones it still waits for. */
  private awaits: DeviceOperation[] = NO_OPERATIONS;
  /** Inside a replayed graph. */
  readonly inGraph: boolean;
  readonly arrived: number;
  /** It stands at the head of its hardware queue. */
  atHead = false;
  /** Graph launch that it is a node of. */
  parent: DeviceOperation | undefined;
  childrenLeft = 0;
  programmatic = false;
  /** Of a record that a copy engine carries out: the copy that the engine did before in the stream. */
  carrier: CopyWork | undefined;

  /** Constraints that a question has lifted for it. */
  lifts = NOTHING_LIFTED;
  /** Conditions that do not hold yet. */
  pending = 0;
  /** When the last condition came to hold, and the earliest start that follows from all of them. */
  ready: number;
  eligible: number;
  /** A copy that follows work elsewhere: its engine has to notice that this is over. */
  entersEngine = false;
  /** From when the compute queues look for the end of a copy. */
  looksFrom = Number.NaN;
  cause: CauseKind = 'host';
  causeOp = -1;
  causeDetail: string | undefined;
  readonly held: Held[] = [];
  /** Since when it waits for a slot among the resident grids. */
  heldForGrids: number | undefined;
  /** Command of another stream that it was behind in its hardware queue, or -1. */
  behind = -1;
  /** Why its blocks could not start when they were eligible. */
  heldForRoom: { readonly kind: CauseKind; readonly from: number; readonly detail?: string } | undefined;

  /** Predecessors that are not complete: a wait returns, and this completes, only after them. */
  orderPending = 0;
  /** Another device has done its part before them. */
  foundEarly = false;
  orderedAt = 0;
  issued = false;
  done = Number.NaN;
  readonly reached: Record<Milestone, number> = {
    complete: Number.NaN,
    triggered: Number.NaN,
    started: Number.NaN,
    seen: Number.NaN,
  };
  private subscribers: readonly Subscriber[] = NO_SUBSCRIBERS;
  private successors: DeviceOperation[] = NO_OPERATIONS;
  /** Others who are told of a milestone, with its time and the present. */
  private listeners: readonly { readonly milestone: Milestone; readonly heard: Heard }[] = NO_LISTENERS;

  processing = Number.NaN;
  start = Number.NaN;
  lastStart = Number.NaN;
  firstTrigger = Number.NaN;
  lastTrigger = Number.NaN;
  firstRelease = Number.NaN;
  lastRelease = Number.NaN;
  firstEnd = Number.NaN;
  end = Number.NaN;
  sms = 0;
  maxBlocksPerSm = 0;
  unit = '';
  private shared: Map<SharedResource, SharedTime> | undefined;

  constructor(op: number, stream: number, work: Work, inGraph: boolean, now: number) {
    this.op = op;
    this.stream = stream;
    this.work = work;
    this.inGraph = inGraph;
    this.arrived = now;
    this.ready = now;
    this.eligible = now;
  }

  /** One that is over, of which only its milestones are known. */
  static over(op: number, reached: Readonly<Record<Milestone, number>>): DeviceOperation {
    const operation = new DeviceOperation(op, -1, NOTHING_TO_DO, false, reached.complete);
    Object.assign(operation.reached, reached);
    return operation;
  }

  /** Complete, flushed, and its predecessors too. */
  get isComplete(): boolean {
    return !Number.isNaN(this.reached.complete);
  }

  /** Somebody waits for it, or is to be told of it. */
  get isAwaited(): boolean {
    return this.subscribers.length > 0 || this.successors.length > 0 || this.listeners.length > 0;
  }

  /** Makes the start wait for another operation. */
  require(on: DeviceOperation, condition: Condition): void {
    const { milestone, latency, cause, from } = condition;
    if (this.lifts.has(cause)) return;
    const at = on.reached[milestone];
    if (!Number.isNaN(at)) {
      this.satisfied(at, Math.max(at + latency, this.eligible), cause, on.op, from);
      return;
    }
    this.pending++;
    if (this.awaits === NO_OPERATIONS) this.awaits = [];
    this.awaits.push(on);
    on.subscribers = [...on.subscribers, { operation: this, condition }];
  }

  /** Tells of a milestone: when it is reached, or at once where its time is known. */
  listen(milestone: Milestone, heard: Heard, now: number): void {
    const at = this.reached[milestone];
    if (Number.isNaN(at)) this.listeners = [...this.listeners, { milestone, heard }];
    else heard(at, now);
  }

  /** Completion comes after that of another operation. */
  orderAfter(on: DeviceOperation): void {
    if (on.isComplete) {
      this.orderedAt = Math.max(this.orderedAt, on.reached.complete);
      return;
    }
    this.orderPending++;
    if (on.successors === NO_OPERATIONS) on.successors = [];
    on.successors.push(this);
  }

  /** A milestone is reached; returns the operations whose last condition this was. */
  reach(milestone: Milestone, now: number): readonly DeviceOperation[] {
    if (!Number.isNaN(this.reached[milestone])) return NO_OPERATIONS;
    this.reached[milestone] = now;
    if (this.listeners.length > 0) this.tell(milestone, now);
    const all = this.subscribers;
    if (all.length === 0) return NO_OPERATIONS;
    const here = (s: Subscriber): boolean => s.condition.milestone === milestone;
    const subscribers = all.every(here) ? all : all.filter(here);
    if (subscribers.length === 0) return NO_OPERATIONS;
    this.subscribers = subscribers === all ? NO_SUBSCRIBERS : all.filter((s) => !here(s));
    const woken: DeviceOperation[] = [];
    const delays = wakeDelays(subscribers);
    subscribers.forEach(({ operation, condition: { latency, cause, from } }, i) => {
      operation.pending--;
      operation.forgetAwaited(this);
      operation.satisfied(now, now + (delays[i] as number) + latency, cause, this.op, from);
      if (operation.pending === 0) woken.push(operation);
    });
    return woken;
  }

  /**
   * A milestone lies ahead at a known time: noted at once where nobody waits for it yet. Returns false where somebody
   * does, who has to be woken then.
   */
  foresee(milestone: Milestone, at: number): boolean {
    if (this.listeners.length > 0 || this.subscribers.some((s) => s.condition.milestone === milestone)) return false;
    if (Number.isNaN(this.reached[milestone])) this.reached[milestone] = at;
    return true;
  }

  /** After completion: the successors in order, to be told. */
  takeSuccessors(): readonly DeviceOperation[] {
    const { successors } = this;
    this.successors = NO_OPERATIONS;
    return successors;
  }

  /** Notes time spent on a shared resource, and what it would have been alone, ps. */
  addShared(resource: SharedResource, actual: number, alone: number): void {
    this.shared ??= new Map();
    const sum = this.shared.get(resource);
    if (sum === undefined) this.shared.set(resource, { actual, alone });
    else {
      sum.actual += actual;
      sum.alone += alone;
    }
  }

  /** What an operation that is not complete waits for; undefined for one that is. */
  unfinished(): Unfinished | undefined {
    return this.isComplete
      ? undefined
      : { ...this.state(), queue: this.unit, inQueue: this.inQueue(), ...this.meets() };
  }

  private state(): Omit<Unfinished, 'queue' | 'inQueue'> {
    if (this.pending > 0) {
      const awaits = [...new Set(this.awaits)].map((o) => o.op).filter((op) => op >= 0);
      return { state: awaits.length === 0 ? 'waits for a value' : 'waits for', awaits };
    }
    if (!this.issued)
      return { state: 'waits behind another command in its hardware queue', awaits: NONE, behind: true };
    if (this.work.type !== 'kernel') return { state: 'does not end', awaits: NONE };
    if (!Number.isNaN(this.start)) return { state: 'has blocks that do not end', awaits: NONE };
    const { detail } = this.heldForRoom ?? {};
    return { state: `has no room${detail === undefined ? '' : `: ${detail}`}`, awaits: NONE, room: true };
  }

  private inQueue(): boolean {
    return !this.inGraph && !this.issued && usesQueue(this.work);
  }

  private meets(): Pick<Unfinished, 'meets'> {
    if (this.work.type !== 'collective') return {};
    const { group, sequence } = this.work.rendezvous;
    return { meets: { group, sequence } };
  }

  /** What the timeline needs of it. */
  record(): DeviceRecord {
    return {
      op: this.op,
      arrived: this.arrived,
      processing: this.processing,
      start: this.start,
      lastStart: this.work.type === 'kernel' ? this.lastStart : Number.NaN,
      firstTrigger: this.firstTrigger,
      lastTrigger: this.lastTrigger,
      firstRelease: this.firstRelease,
      lastRelease: this.lastRelease,
      firstEnd: this.firstEnd,
      end: this.end,
      completion: this.reached.complete,
      sms: this.sms,
      maxBlocksPerSm: this.maxBlocksPerSm,
      unit: this.unit,
      cause: this.cause,
      causeOp: this.causeOp,
      causeDetail: this.causeDetail,
      held: this.held,
      shared:
        this.shared === undefined ? NOTHING_SHARED : [...this.shared].map(([resource, t]) => ({ resource, ...t })),
      programmatic: this.programmatic,
    };
  }

  /** Notes something other than its conditions that held it back until now. */
  heldUntil(kind: CauseKind, op: number, from: number, until: number, detail?: string): void {
    if (until <= from) return;
    this.held.push(detail === undefined ? { kind, op, from, until } : { kind, op, from, until, detail });
    this.cause = kind;
    this.causeOp = op;
    this.causeDetail = detail;
  }

  /** Notes a wait after its start, which is no cause of it. */
  waited(kind: CauseKind, op: number, from: number, until: number): void {
    if (until > from) this.held.push({ kind, op, from, until });
  }

  private forgetAwaited(on: DeviceOperation): void {
    if (this.awaits.length === 1 && this.awaits[0] === on) {
      this.awaits = NO_OPERATIONS;
      return;
    }
    const left = this.awaits.filter((each) => each !== on);
    this.awaits = left.length === 0 ? NO_OPERATIONS : left;
  }

  private tell(milestone: Milestone, now: number): void {
    const told = this.listeners.filter((l) => l.milestone === milestone);
    this.listeners = this.listeners.filter((l) => l.milestone !== milestone);
    for (const { heard } of told) heard(now, now);
  }

  private satisfied(at: number, eligible: number, cause: CauseKind, op: number, from: number): void {
    if (at > from) this.held.push({ kind: cause, op, from, until: at });
    const later =
      eligible !== this.eligible ? eligible > this.eligible : at !== this.ready ? at > this.ready : op > this.causeOp;
    if (later) {
      this.cause = cause;
      this.causeOp = op;
    }
    this.eligible = Math.max(this.eligible, eligible);
    this.ready = Math.max(this.ready, at);
  }
}
