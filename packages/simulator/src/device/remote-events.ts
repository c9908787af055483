import type { EnqueuedOperation, Milestone } from '@griddep/cuda';
import type { ReachedMessage, WatchMessage } from '../messages.ts';
import type { DeviceTimes } from './body.ts';
import type { Neighbours } from './neighbours.ts';
import { type Condition, DeviceOperation } from './operation.ts';
import type { Send } from './transfers.ts';
import { type Clock, PRIORITY, TIMER } from './unit-context.ts';

/** An operation of this device that waits for one of another. */
interface Waiter {
  readonly operation: DeviceOperation;
  /** Stands here for the operation of the other device. */
  readonly remote: DeviceOperation;
}

/**
 * What operations of this device wait for on others, and others on this one. The device that completes an operation
 * tells the one that waits. There the queue of the waiter is not woken: from the moment at which it has only the other
 * device to wait for, it looks at intervals (case families `pair-event-*`, `xdev-*`, `late-event-*`).
 */
export class RemoteEvents {
  private readonly times: DeviceTimes;
  private readonly neighbours: Neighbours;
  private readonly send: Send;
  private readonly seen: (remote: DeviceOperation, clock: Clock) => void;
  private readonly waiters = new Map<string, Waiter[]>();
  /** Milestones that this device was told of before anybody waited for them here, and from when they could be seen. */
  private readonly told = new Map<string, number>();
  /** Waiters whose turn has not come, and from when on they can see what they wait for. */
  private readonly early = new Map<DeviceOperation, { readonly waiter: Waiter; readonly visible: number }[]>();
  /** By operation, waiters that will see what they wait for when they look at a time. */
  private readonly looks = new Map<number, { readonly waiter: Waiter; readonly at: number }[]>();

  constructor(
    times: DeviceTimes,
    neighbours: Neighbours,
    send: Send,
    seen: (remote: DeviceOperation, clock: Clock) => void,
  ) {
    this.times = times;
    this.neighbours = neighbours;
    this.send = send;
    this.seen = seen;
  }

  /** Makes the start of an operation wait for a milestone of another device's. */
  require(
    operation: DeviceOperation,
    on: EnqueuedOperation,
    milestone: Milestone,
    condition: Condition,
    clock: Clock,
  ): void {
    const remote = new DeviceOperation(on.op, on.stream, ELSEWHERE, false, condition.from);
    operation.require(remote, { ...condition, milestone: 'complete' });
    const key = keyOf(on.op, milestone);
    const visible = this.told.get(key);
    if (visible !== undefined) {
      this.told.delete(key);
      this.lookFor({ operation, remote }, visible, clock, true);
      return;
    }
    const waiters = this.waiters.get(key) ?? [];
    this.waiters.set(key, waiters);
    waiters.push({ operation, remote });
  }

  /** Another device waits for an operation of this one, and is told when it has come so far. */
  watch({ op, milestone, watcher }: WatchMessage, operation: DeviceOperation, clock: Clock): void {
    const to = this.neighbours.of(watcher);
    const signal = to.signal();
    operation.listen(
      milestone,
      (at, now) => {
        const message: ReachedMessage = { type: 'reached', op, milestone, visible: at + signal };
        this.send(to.actor, Math.max(signal, at + signal - now), message);
      },
      clock.now,
    );
  }

  /** An operation of another device has come so far. */
  reached({ op, milestone, visible }: ReachedMessage, clock: Clock): void {
    const key = keyOf(op, milestone);
    const waiters = this.waiters.get(key);
    this.waiters.delete(key);
    if (waiters === undefined) this.told.set(key, visible);
    else for (const waiter of waiters) this.lookFor(waiter, visible, clock, false);
  }

  /** An operation's queue looks, and sees what it waited for. */
  look(op: number, clock: Clock): void {
    const looks = this.looks.get(op) ?? [];
    const later = looks.filter(({ at }) => at > clock.now);
    if (later.length > 0) this.looks.set(op, later);
    else this.looks.delete(op);
    for (const { waiter, at } of looks) if (at <= clock.now) this.seen(waiter.remote, clock);
  }

  /** The predecessors of an operation are complete: it reads what has happened on other devices. */
  ordered(operation: DeviceOperation, clock: Clock): void {
    const early = this.early.get(operation) ?? [];
    this.early.delete(operation);
    operation.foundEarly = false;
    for (const { waiter, visible } of early) this.lookFor(waiter, visible, clock, false);
  }

  /** `later`: not before other events of this instant, for an operation whose conditions are still being gathered. */
  private lookFor(waiter: Waiter, visible: number, clock: Clock, later: boolean): void {
    const { operation, remote } = waiter;
    if (operation.orderPending > 0) {
      operation.foundEarly = true;
      this.early.set(operation, [...(this.early.get(operation) ?? []), { waiter, visible }]);
      return;
    }
    const at = this.lookAt(Math.max(operation.arrived, operation.orderedAt), visible);
    if (at <= clock.now && !later) {
      this.seen(remote, clock);
      return;
    }
    const looks = this.looks.get(operation.op) ?? [];
    this.looks.set(operation.op, looks);
    looks.push({ waiter, at });
    clock.timer(Math.max(at, clock.now), PRIORITY.step, TIMER.remoteLook, operation.op);
  }

  /** When a queue that has only another device to wait for from `since` on sees what is visible from a time on. */
  private lookAt(since: number, visible: number): number {
    const { eventLookRead, eventLookFirst, eventLookPeriod } = this.times;
    if (visible <= since) return since + eventLookRead;
    const periods = Math.max(0, Math.ceil((visible - since - eventLookFirst) / eventLookPeriod));
    return since + eventLookFirst + periods * eventLookPeriod;
  }
}

function keyOf(op: number, milestone: Milestone): string {
  return `${op} ${milestone}`;
}

/** What work of another device is here. */
const ELSEWHERE = { type: 'empty' } as const;
