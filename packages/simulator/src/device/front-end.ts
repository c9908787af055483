import type { DeviceTimes } from './body.ts';
import { type DeviceOperation, runsOnSms } from './operation.ts';
import { type Clock, PRIORITY, TIMER } from './unit-context.ts';

/** What the front end needs of the device. */
export interface FrontEndEvents {
  /** An operation is issued: its processing begins now, its effect not before `eligible`. */
  issue(operation: DeviceOperation, eligible: number, clock: Clock): void;
}

/**
 * Hardware queues, which streams share round robin in order of creation, and the processing of launches, one at a time.
 * A command at the head of a queue whose conditions do not hold blocks what is behind it, of whatever stream
 * (docs/RULES.md 5.11, case family `connections-*`). Graph nodes come without a queue, in order of readiness.
 */
export class FrontEnd {
  private readonly times: DeviceTimes;
  private readonly events: FrontEndEvents;
  private readonly queues: HardwareQueue[];
  private readonly channels: Channels;
  private readonly graphNodes = new ReadyNodes();
  private readonly residentGrids: number;
  private resident = 0;
  private busyUntil = 0;
  private requested = -1;
  /** Time of the earliest pending wake-up. */
  private wakeAt = Number.POSITIVE_INFINITY;

  constructor(queues: number, residentGrids: number, times: DeviceTimes, events: FrontEndEvents) {
    this.times = times;
    this.events = events;
    this.residentGrids = residentGrids;
    this.channels = new Channels(times);
    this.queues = Array.from({ length: queues }, () => new HardwareQueue());
  }

  /** Index of the queue that the n-th stream of the device uses. */
  queueOf(streamOrdinal: number): number {
    return streamOrdinal % this.queues.length;
  }

  enqueue(queue: number, operation: DeviceOperation, clock: Clock): void {
    const commands = this.queues[queue];
    commands?.push(operation);
    if (commands?.head() === operation && operation.pending === 0) this.request(clock);
  }

  /** A graph's node whose conditions all hold. */
  enqueueNode(operation: DeviceOperation, clock: Clock): void {
    this.graphNodes.push(operation);
    this.request(clock);
  }

  gridEnded(clock: Clock): void {
    if (this.resident-- === this.residentGrids) this.request(clock);
  }

  request(clock: Clock): void {
    if (this.requested === clock.now) return;
    this.requested = clock.now;
    clock.timer(clock.now, PRIORITY.frontEnd, TIMER.frontEnd, 0);
  }

  pass(clock: Clock): void {
    this.requested = -1;
    if (this.wakeAt <= clock.now) this.wakeAt = Number.POSITIVE_INFINITY;
    for (let best = this.next(clock); best !== undefined; best = this.next(clock)) {
      if (best.queue === undefined) this.graphNodes.shift();
      else best.queue.shift(clock.now);
      this.take(best.operation, best.queue, clock);
    }
    this.wakeLater(clock);
  }

  /** Comes back when a launch that is ready but for the front end, or will be ready at a known time, can go. */
  private wakeLater(clock: Clock): void {
    let at = Number.POSITIVE_INFINITY;
    const consider = (operation: DeviceOperation): void => {
      if (operation.pending > 0) return;
      const launches = runsOnSms(operation.work);
      if (launches && this.resident >= this.residentGrids) return;
      at = Math.min(at, Math.max(operation.ready, launches ? this.busyUntil : 0));
    };
    for (const queue of this.queues) {
      const head = queue.head();
      if (head !== undefined) consider(head);
    }
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
      if (operation.heldForGrids !== undefined) operation.heldUntil('residentGrids', -1, operation.heldForGrids, now);
    }
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
    const loading = queue === undefined ? 0 : this.channels.use(queue, operation, now);
    if (loading > 0) operation.heldUntil('launchProcessing', -1, now, now + loading, 'hardware queue loaded');
    this.events.issue(
      operation,
      loading + Math.max(operation.eligible, now + (operation.eligible - operation.ready)),
      clock,
    );
  }

  /** The operation to issue next: of those at the heads of queues that may go, the one ready first. */
  private next(clock: Clock): { operation: DeviceOperation; queue: HardwareQueue | undefined } | undefined {
    let best: { operation: DeviceOperation; queue: HardwareQueue | undefined } | undefined;
    const consider = (operation: DeviceOperation, queue: HardwareQueue | undefined): void => {
      if (operation.pending > 0 || operation.ready > clock.now) return;
      if (runsOnSms(operation.work) && !this.canLaunch(operation, clock)) return;
      if (best === undefined || precedes(operation, best.operation)) best = { operation, queue };
    };
    for (const queue of this.queues) {
      const head = queue.head();
      if (head !== undefined) consider(head, queue);
    }
    const node = this.graphNodes.first();
    if (node !== undefined) consider(node, undefined);
    return best;
  }

  private canLaunch(operation: DeviceOperation, clock: Clock): boolean {
    if (this.resident < this.residentGrids) return this.busyUntil <= clock.now;
    operation.heldForGrids ??= clock.now;
    return false;
  }
}

function precedes(a: DeviceOperation, b: DeviceOperation): boolean {
  return a.ready < b.ready || (a.ready === b.ready && a.op < b.op);
}

/** Graph nodes whose conditions hold, the one ready first in front. */
class ReadyNodes {
  private readonly nodes: DeviceOperation[] = [];

  first(): DeviceOperation | undefined {
    return this.nodes[this.nodes.length - 1];
  }

  shift(): void {
    this.nodes.pop();
  }

  /** Kept in reverse order, so that the first leaves at the end. */
  push(node: DeviceOperation): void {
    let [low, high] = [0, this.nodes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (precedes(node, this.nodes[middle] as DeviceOperation)) low = middle + 1;
      else high = middle;
    }
    this.nodes.splice(low, 0, node);
  }
}

/**
 * The front end holds only so many hardware queues at a time; a kernel launch from another has it loaded first, in
 * place of the one used longest ago. A wait loads its queue while it waits, and a programmatic launch has been handed
 * on together with its primary (case families `parallel-chains-*`, `parallel-pdl-chains-*`).
 */
class Channels {
  private readonly times: DeviceTimes;
  private readonly slots: { queue: HardwareQueue | undefined; freeAt: number; usedAt: number }[];

  constructor(times: DeviceTimes) {
    this.times = times;
    this.slots = Array.from({ length: times.channelSlots }, () => ({ queue: undefined, freeAt: 0, usedAt: -1 }));
  }

  /** Time until the queue can act for an operation. */
  use(queue: HardwareQueue, operation: DeviceOperation, now: number): number {
    const loaded = this.slots.find((s) => s.queue === queue);
    if (loaded !== undefined) {
      loaded.usedAt = now;
      return Math.max(0, loaded.freeAt - now);
    }
    const [slot] = [...this.slots].sort((a, b) => a.freeAt - b.freeAt || a.usedAt - b.usedAt);
    if (slot === undefined) return 0;
    const empty = slot.queue === undefined;
    const free = empty || operation.programmatic || operation.work.type === 'wait';
    const ready = free ? now : Math.max(now, slot.freeAt) + this.times.channelLoad;
    Object.assign(slot, { queue, freeAt: ready, usedAt: ready });
    return ready - now;
  }
}

/** Commands in order; the head is the only one that can be issued. */
class HardwareQueue {
  private readonly commands: DeviceOperation[] = [];
  private first = 0;

  push(operation: DeviceOperation): void {
    this.commands.push(operation);
  }

  head(): DeviceOperation | undefined {
    return this.commands[this.first];
  }

  /** Removes the head, and notes on the next what it was behind. */
  shift(now: number): void {
    const gone = this.commands[this.first] as DeviceOperation;
    this.first++;
    if (this.first > 1024 && this.first * 2 > this.commands.length) {
      this.commands.splice(0, this.first);
      this.first = 0;
    }
    const head = this.head();
    if (head !== undefined && head.pending === 0 && head.ready < now && head.stream !== gone.stream)
      head.behind = gone.op;
  }
}
