import type { DeviceTimes } from './body.ts';
import type { Grid } from './grid.ts';
import type { DeviceOperation } from './operation.ts';
import { type Clock, PRIORITY, TIMER } from './unit-context.ts';
import type { Milestone } from './work.ts';

/** What completion tells the rest of the device. */
export interface CompletionEvents {
  /** The last condition of an operation came to hold. */
  conditionsHold(operation: DeviceOperation, clock: Clock): void;
  completed(operation: DeviceOperation, clock: Clock): void;
  /** Predecessors of an operation are complete for which another device had done its part before. */
  ordered(operation: DeviceOperation, clock: Clock): void;
  /** The waits of a grid's blocks return. */
  released(grid: Grid, clock: Clock): void;
}

/**
 * The PDL unit: when dependents may start, when waits return, and completion, which is in order (case families
 * `gap-pdl-*`, `pdl-transitive-*`, `pdl-then-*`).
 */
export class Completion {
  private readonly times: DeviceTimes;
  private readonly events: CompletionEvents;
  /** Grids that have been issued and not ended, by operation. */
  private readonly grids: ReadonlyMap<number, Grid>;

  constructor(times: DeviceTimes, grids: ReadonlyMap<number, Grid>, events: CompletionEvents) {
    this.times = times;
    this.grids = grids;
    this.events = events;
  }

  /** Every block has triggered or exited. */
  triggered(operation: DeviceOperation, byExit: boolean, clock: Clock): void {
    this.reachAt(operation, 'triggered', clock.now + (byExit ? this.times.blockExit : 0), TIMER.triggered, clock);
  }

  /** Every block has been placed, the last to start at a time now or later. */
  placed(operation: DeviceOperation, clock: Clock): void {
    this.reachAt(operation, 'started', Math.max(clock.now, operation.lastStart), TIMER.gridStarted, clock);
  }

  /** A milestone is reached now. */
  reach(operation: DeviceOperation, milestone: Milestone, clock: Clock): void {
    for (const woken of operation.reach(milestone, clock.now)) this.events.conditionsHold(woken, clock);
  }

  /** An operation's own work is done; it completes now, or when its predecessors have. */
  finish(operation: DeviceOperation, clock: Clock): void {
    operation.done = clock.now;
    if (operation.orderPending === 0) this.complete(operation, clock);
  }

  /** When the waits of a grid return whose prerequisites are all complete. */
  releaseTime({ orderedAt }: DeviceOperation, now: number): number {
    return Math.max(now, orderedAt > 0 ? orderedAt + this.times.waitRelease : 0);
  }

  /** The waits of a grid return now, unless it has ended. */
  release(op: number, clock: Clock): void {
    const grid = this.grids.get(op);
    if (grid !== undefined) this.events.released(grid, clock);
  }

  private reachAt(operation: DeviceOperation, milestone: Milestone, at: number, timer: number, clock: Clock): void {
    if (operation.foresee(milestone, at)) return;
    if (at > clock.now) clock.timer(at, PRIORITY.step, timer, operation.op);
    else this.reach(operation, milestone, clock);
  }

  /** Completes an operation, and those behind it that were only waiting for their turn. */
  private complete(first: DeviceOperation, clock: Clock): void {
    const turn = [first];
    for (let operation = turn.shift(); operation !== undefined; operation = turn.shift()) {
      this.reach(operation, 'triggered', clock);
      this.reach(operation, 'started', clock);
      this.reach(operation, 'complete', clock);
      this.events.completed(operation, clock);
      for (const successor of operation.takeSuccessors()) {
        successor.orderPending--;
        successor.orderedAt = clock.now;
        if (successor.orderPending > 0) continue;
        if (successor.foundEarly) this.events.ordered(successor, clock);
        if (this.grids.has(successor.op)) {
          clock.timer(this.releaseTime(successor, clock.now), PRIORITY.step, TIMER.release, successor.op);
        }
        if (!Number.isNaN(successor.done)) turn.push(successor);
      }
    }
  }
}
