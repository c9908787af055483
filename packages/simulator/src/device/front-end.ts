import type { DeviceTimes } from './body.ts';
import { Channels } from './channels.ts';
import { HardwareQueue } from './hardware-queue.ts';
import type { DeviceOperation } from './operation.ts';
import { ReadyNodes, readyBefore } from './ready-nodes.ts';
import { type Clock, PRIORITY, TIMER } from './unit-context.ts';
import { isWait, runsOnSms } from './work.ts';

/**
 * Hardware queues, which streams share round robin in order of creation, and the processing of launches, one at a time.
 * A command at the head of a queue whose conditions do not hold blocks what is behind it, of whatever stream
 * (docs/RULES.md 5.11, case family `connections-*`). Graph nodes come without a queue, in order of readiness.
 */
export class FrontEnd {
  private readonly times: DeviceTimes;
  /** An operation is issued: its processing begins now, its effect not before `eligible`. */
  private readonly issue: (operation: DeviceOperation, eligible: number, clock: Clock) => void;
  private readonly queues: HardwareQueue[];
  private readonly channels: Channels;
  private readonly graphNodes = new ReadyNodes();
  /** Commands that a question has taken out of the order of their queue; their place in it stays taken until they go. */
  private readonly aside: Aside[] = [];
  private readonly residentGrids: number;
  private resident = 0;
  private busyUntil = 0;
  private requested = -1;
  /** Time of the earliest pending wake-up. */
  private wakeAt = Number.POSITIVE_INFINITY;

  constructor(
    queues: number,
    residentGrids: number,
    times: DeviceTimes,
    issue: (operation: DeviceOperation, eligible: number, clock: Clock) => void,
  ) {
    this.times = times;
    this.issue = issue;
    this.residentGrids = residentGrids;
    this.channels = new Channels(times);
    this.queues = Array.from({ length: queues }, () => new HardwareQueue());
  }

  /** Index of the queue that the n-th stream of the device uses. */
  queueOf(streamOrdinal: number): number {
    return streamOrdinal % this.queues.length;
  }

  /** A command of a stream joins its hardware queue. */
  enqueue(queue: number, operation: DeviceOperation, clock: Clock): void {
    const commands = this.queues[queue];
    if (commands !== undefined) this.setAside(commands, operation);
    commands?.push(operation);
    const mayGo = commands?.head() === operation || this.aside.some((each) => each.operation === operation);
    if (mayGo && operation.pending === 0) this.request(clock);
  }

  /** A graph's node whose conditions all hold. */
  enqueueNode(operation: DeviceOperation, clock: Clock): void {
    this.graphNodes.push(operation);
    this.request(clock);
  }

  /** A grid is no longer resident. */
  gridEnded(clock: Clock): void {
    if (this.resident-- === this.residentGrids) this.request(clock);
  }

  /** Asks for a pass at this instant, after what else happens in it. */
  request(clock: Clock): void {
    if (this.requested === clock.now) return;
    this.requested = clock.now;
    clock.timer(clock.now, PRIORITY.frontEnd, TIMER.frontEnd, 0);
  }

  /** Issues, one after another, all that can go now. */
  pass(clock: Clock): void {
    this.requested = -1;
    if (this.wakeAt <= clock.now) this.wakeAt = Number.POSITIVE_INFINITY;
    for (let best = this.next(clock); best !== undefined; best = this.next(clock)) {
      if (best.queue === undefined) this.graphNodes.shift();
      else this.leave(best.queue, best.operation, clock.now);
      this.take(best.operation, best.queue, clock);
    }
    this.wakeLater(clock);
  }

  /** Its order with the commands of its stream, or with those of other streams in the queue, is lifted. */
  private setAside(queue: HardwareQueue, operation: DeviceOperation): void {
    const { lifts, stream } = operation;
    const [own, others, events] = [lifts.has('stream'), lifts.has('hardwareQueue'), lifts.has('event')];
    if (!own && !others && !events) return;
    const isLifted = ({ stream: of, work }: DeviceOperation): boolean =>
      of === stream ? own || (events && work.type === 'wait') : others;
    const behind = queue.waiting().filter((each) => !isLifted(each));
    this.aside.push({ operation, queue, behind });
  }

  private leave(queue: HardwareQueue, operation: DeviceOperation, now: number): void {
    if (queue.head() === operation) queue.shift(now);
    const at = this.aside.findIndex((each) => each.operation === operation);
    if (at >= 0) this.aside.splice(at, 1);
    operation.issued = true;
    for (let head = queue.head(); head?.issued; head = queue.head()) queue.shift(now);
  }

  /** Comes back when a launch that is ready but for the front end, or will be ready at a known time, can go. */
  private wakeLater(clock: Clock): void {
    let at = Number.POSITIVE_INFINITY;
    const consider = (operation: DeviceOperation): void => {
      if (operation.pending > 0) return;
      const launches = runsOnSms(operation.work);
      if (launches && this.isFull(operation)) return;
      at = Math.min(at, Math.max(readyAt(operation), launches ? this.busyFor(operation) : 0));
    };
    for (const queue of this.queues) {
      const head = queue.head();
      if (head !== undefined) consider(head);
    }
    for (const { operation, behind } of this.aside) if (behind.every(({ issued }) => issued)) consider(operation);
    const node = this.graphNodes.first();
    if (node !== undefined) consider(node);
    if (at >= this.wakeAt || at === Number.POSITIVE_INFINITY) return;
    this.wakeAt = at;
    clock.timer(Math.max(at, clock.now), PRIORITY.frontEnd, TIMER.frontEnd, 0);
  }

  private take(operation: DeviceOperation, queue: HardwareQueue | undefined, clock: Clock): void {
    const { now } = clock;
    if (runsOnSms(operation.work)) {
      this.resident++;
      this.busyUntil = now + (operation.inGraph ? this.times.launchSpacingGraph : this.times.launchSpacing);
      // It stays with a queue until a programmatic launch behind a kernel is handed on (case families `pdl-two-*`).
      const behind = queue?.head();
      if (!operation.programmatic && behind?.programmatic && behind.stream === operation.stream)
        this.busyUntil += this.times.programmaticHold;
      if (operation.heldForGrids !== undefined) operation.heldUntil('residentGrids', -1, operation.heldForGrids, now);
    }
    // A wait whose event was complete when it came takes the front end a moment.
    if (isWait(operation.work) && operation.ready <= operation.arrived)
      this.busyUntil = Math.max(this.busyUntil, now + this.times.eventWaitProcessing);
    operation.issued = true;
    operation.processing = now;
    // A launch that had to wait for the front end, or behind another in its queue, is late by as much.
    const late = Math.max(0, now - operation.ready);
    if (late > 0 && operation.heldForGrids === undefined) {
      operation.heldUntil(
        operation.behind < 0 ? 'launchProcessing' : 'hardwareQueue',
        operation.behind,
        operation.ready,
        now,
      );
    }
    const used = queue === undefined ? 0 : this.channels.use(queue, operation, now);
    const loading = operation.lifts.has('launchProcessing') ? 0 : used;
    if (loading > 0) operation.heldUntil('launchProcessing', -1, now, now + loading, 'hardware queue loaded');
    const { eligible, ready } = operation;
    const begins = isWait(operation.work) ? Math.max(eligible, now) : Math.max(eligible, now + eligible - ready);
    this.issue(operation, loading + begins, clock);
  }

  /** The operation to issue next, of those at the heads of queues and the nodes of graphs that may go. */
  private next(clock: Clock): Choice | undefined {
    let best: Choice | undefined;
    const consider = (operation: DeviceOperation, queue: HardwareQueue | undefined): void => {
      if (operation.pending > 0 || readyAt(operation) > clock.now) return;
      if (runsOnSms(operation.work) && !this.canLaunch(operation, clock)) return;
      if (best === undefined || this.goesBefore({ operation, queue }, best)) best = { operation, queue };
    };
    for (const queue of this.queues) {
      const head = queue.head();
      if (head !== undefined) consider(head, queue);
    }
    for (const { operation, queue, behind } of this.aside)
      if (behind.every(({ issued }) => issued)) consider(operation, queue);
    const node = this.graphNodes.first();
    if (node !== undefined) consider(node, undefined);
    return best;
  }

  /**
   * The front end goes on with a queue that is loaded as long as that has work that can go (case `stream-per-kernel`), and before
   * nodes of graphs; of two such, with the one ready first.
   */
  private goesBefore(a: Choice, b: Choice): boolean {
    const [stays, other] = [a, b].map(({ queue }) => queue !== undefined && this.channels.holds(queue));
    return stays === other ? readyBefore(a.operation, b.operation) : stays === true;
  }

  private canLaunch(operation: DeviceOperation, clock: Clock): boolean {
    if (!this.isFull(operation)) return this.busyFor(operation) <= clock.now;
    operation.heldForGrids ??= clock.now;
    return false;
  }

  private isFull(operation: DeviceOperation): boolean {
    return this.resident >= this.residentGrids && !operation.lifts.has('residentGrids');
  }

  private busyFor(operation: DeviceOperation): number {
    return operation.lifts.has('launchProcessing') ? 0 : this.busyUntil;
  }
}

/** What may be issued, and the queue that it is at the head of. */
interface Choice {
  readonly operation: DeviceOperation;
  readonly queue: HardwareQueue | undefined;
}

interface Aside {
  readonly operation: DeviceOperation;
  readonly queue: HardwareQueue;
  /** What it still comes after. */
  readonly behind: readonly DeviceOperation[];
}

/** When a command can leave the head of its queue: a wait stays until it has woken. */
function readyAt(operation: DeviceOperation): number {
  return isWait(operation.work) ? Math.max(operation.ready, operation.eligible) : operation.ready;
}
