import type { Command, Milestone as CudaMilestone, NodeWork } from '@griddep/cuda';
import type { CauseKind } from '@griddep/timeline';

/** Work of an operation on the device, from a stream's command or a graph's node. */
export type Work = Command | NodeWork;

/** What others wait for; `seen` is the completion of a copy as the compute queues learn of it. */
export type Milestone = CudaMilestone | 'seen';

/** Kernels, and what runs as one: copies within the device, memsets. */
export function runsOnSms(work: Work): boolean {
  return work.type === 'kernel' || work.type === 'memset' || (work.type === 'copy' && work.copy === 'deviceToDevice');
}

/** Uploads, downloads and peer copies. */
export function usesCopyEngine(work: Work): boolean {
  return work.type === 'copy' && work.copy !== 'deviceToDevice';
}

interface Subscriber {
  readonly operation: DeviceOperation;
  readonly latency: number;
  readonly spacing: number;
  readonly ordered: boolean;
  readonly cause: CauseKind;
  readonly from: number;
}

/** A condition that held an operation back, as the timeline tells it. */
export interface Held {
  readonly kind: CauseKind;
  readonly op: number;
  readonly from: number;
  readonly until: number;
  readonly detail?: string;
}

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
  private readonly awaits = new Set<DeviceOperation>();
  /** Inside a replayed graph. */
  readonly inGraph: boolean;
  readonly arrived: number;
  /** Graph launch that it is a node of. */
  parent: DeviceOperation | undefined;
  childrenLeft = 0;
  programmatic = false;

  /** Conditions that do not hold yet. */
  pending = 0;
  /** When the last condition came to hold, and the earliest start that follows from all of them. */
  ready: number;
  eligible: number;
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
  orderedAt = 0;
  issued = false;
  done = Number.NaN;
  readonly reached: Record<Milestone, number> = {
    complete: Number.NaN,
    triggered: Number.NaN,
    started: Number.NaN,
    seen: Number.NaN,
  };
  private readonly subscribers: Record<Milestone, Subscriber[]> = {
    complete: [],
    triggered: [],
    started: [],
    seen: [],
  };
  private readonly successors: DeviceOperation[] = [];

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
  readonly shared = new Map<'arithmetic' | 'deviceMemory' | 'link', { actual: number; alone: number }>();

  constructor(op: number, stream: number, work: Work, inGraph: boolean, now: number) {
    this.op = op;
    this.stream = stream;
    this.work = work;
    this.inGraph = inGraph;
    this.arrived = now;
    this.ready = now;
    this.eligible = now;
  }

  get isComplete(): boolean {
    return !Number.isNaN(this.reached.complete);
  }

  /**
   * Makes the start wait for a milestone of another operation, plus a latency. Waiters of one milestone wake one after
   * another, `spacing` apart: in order, or in an order that is not fixed, and then each is placed at the middle of the
   * spread. Returns true if the milestone lies behind already.
   */
  require(
    on: DeviceOperation,
    milestone: Milestone,
    latency: number,
    cause: CauseKind,
    now: number,
    spacing = 0,
    ordered = true,
  ): boolean {
    const at = on.reached[milestone];
    if (!Number.isNaN(at)) {
      this.satisfied(at, Math.max(at + latency, this.eligible), cause, on.op, now);
      return true;
    }
    this.pending++;
    this.awaits.add(on);
    on.subscribers[milestone].push({ operation: this, latency, spacing, ordered, cause, from: now });
    return false;
  }

  /** Completion comes after that of another operation. */
  orderAfter(on: DeviceOperation): void {
    if (on.isComplete) {
      this.orderedAt = Math.max(this.orderedAt, on.reached.complete);
      return;
    }
    this.orderPending++;
    on.successors.push(this);
  }

  /** A milestone is reached; returns the operations whose last condition this was. */
  reach(milestone: Milestone, now: number): readonly DeviceOperation[] {
    if (!Number.isNaN(this.reached[milestone])) return [];
    this.reached[milestone] = now;
    const woken: DeviceOperation[] = [];
    let waiters = 0;
    const all = this.subscribers[milestone].filter((s) => s.spacing > 0).length;
    for (const { operation, latency, spacing, ordered, cause, from } of this.subscribers[milestone]) {
      const at = now + (ordered ? spacing * waiters : Math.round((spacing * (all - 1)) / 2));
      if (spacing > 0) waiters++;
      operation.pending--;
      operation.awaits.delete(this);
      operation.satisfied(now, at + latency, cause, this.op, from);
      if (operation.pending === 0) woken.push(operation);
    }
    this.subscribers[milestone].length = 0;
    return woken;
  }

  /**
   * A milestone lies ahead at a known time: noted at once where nobody waits for it yet. Returns false where somebody
   * does, who has to be woken then.
   */
  foresee(milestone: Milestone, at: number): boolean {
    if (this.subscribers[milestone].length > 0) return false;
    if (Number.isNaN(this.reached[milestone])) this.reached[milestone] = at;
    return true;
  }

  /** After completion: the successors in order, to be told. */
  takeSuccessors(): readonly DeviceOperation[] {
    return this.successors.splice(0);
  }

  addShared(resource: 'arithmetic' | 'deviceMemory' | 'link', actual: number, alone: number): void {
    const sum = this.shared.get(resource);
    if (sum === undefined) this.shared.set(resource, { actual, alone });
    else {
      sum.actual += actual;
      sum.alone += alone;
    }
  }

  /** What an operation that can never finish is waiting for, in words. */
  unfinishedBecause(name: (op: number) => string): string {
    if (this.pending > 0) return `waits for ${[...this.awaits].map((o) => name(o.op)).join(', ')}`;
    if (!this.issued) return 'waits behind another command in its hardware queue';
    if (this.work.type !== 'kernel') return 'does not end';
    return Number.isNaN(this.start)
      ? `has no room${this.heldForRoom?.detail === undefined ? '' : `: ${this.heldForRoom.detail}`}`
      : 'has blocks that do not end';
  }

  /** Notes something other than its conditions that held it back until now. */
  heldUntil(kind: CauseKind, op: number, from: number, until: number, detail?: string): void {
    if (until <= from) return;
    this.held.push({ kind, op, from, until, ...(detail === undefined ? {} : { detail }) });
    this.cause = kind;
    this.causeOp = op;
    this.causeDetail = detail;
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
