import type { Lifts } from '../lifts.ts';
import type { DeviceResult } from './device-result.ts';
import { FinishedOperations } from './finished-operations.ts';
import { DeviceOperation } from './operation.ts';
import { type LoggedOperations, OperationLog } from './operation-log.ts';
import { usesCopyEngine } from './work.ts';

/** So many operations are looked through at the least for those that are over. */
const LEAST_SWEPT = 256;

/**
 * The operations of a device. Those that are over leave only their record and their milestones, which later commands may
 * still wait for.
 */
export class Operations {
  private open = new Map<number, DeviceOperation>();
  private readonly log = new OperationLog();
  /** What others wait for and has not come. */
  private readonly expected = new Map<number, DeviceOperation>();
  private readonly finished = new FinishedOperations();
  private sweepAt = LEAST_SWEPT;
  private readonly lifts: Lifts | undefined;

  constructor(lifts?: Lifts) {
    this.lifts = lifts;
  }

  /** A new operation. */
  add(operation: DeviceOperation): void {
    if (this.open.size >= this.sweepAt) this.sweep();
    if (this.lifts !== undefined) operation.lifts = this.lifts.of(operation.op);
    this.open.set(operation.op, operation);
  }

  /** An operation by its number; one that is over says when it reached its milestones, and nothing else. */
  get(op: number): DeviceOperation | undefined {
    const open = this.open.get(op);
    if (open !== undefined) return open;
    const reached = this.log.reached(op);
    return reached === undefined ? undefined : DeviceOperation.over(op, reached);
  }

  /** The same, or what stands for one that will come: a node of a graph that has not begun. */
  expect(op: number): DeviceOperation {
    const known = this.get(op) ?? this.expected.get(op);
    if (known !== undefined) return known;
    const standIn = new DeviceOperation(op, -1, NOT_HERE, false, 0);
    this.expected.set(op, standIn);
    return standIn;
  }

  /** What has stood for an operation that has come, if something did. */
  takeExpected(op: number): DeviceOperation | undefined {
    const standIn = this.expected.get(op);
    this.expected.delete(op);
    return standIn;
  }

  /** Those that are complete and have not been taken, see `Actor.interim`. */
  takeFinished(before: number): LoggedOperations | undefined {
    return this.finished.take(before, this.log, this.open.values());
  }

  /** What has been recorded so far. */
  result(): Pick<DeviceResult, 'operations' | 'unfinished'> {
    const unfinished: DeviceResult['unfinished'][number][] = [];
    for (const operation of this.open.values()) {
      this.log.add(operation.record(), operation.reached);
      const state = operation.unfinished();
      if (state !== undefined) unfinished.push({ op: operation.op, start: operation.start, ...state });
    }
    this.open.clear();
    return { operations: this.log.logged(), unfinished };
  }

  /** Its cost is a part of that of making the operations, as they have doubled since the last. */
  private sweep(): void {
    // A new map: deleting most of one, entry by entry, makes its table anew several times.
    const left = new Map<number, DeviceOperation>();
    this.open.forEach((operation, op) => {
      if (isOver(operation)) this.log.add(operation.record(), operation.reached);
      else left.set(op, operation);
    });
    this.open = left;
    this.sweepAt = Math.max(LEAST_SWEPT, 2 * this.open.size);
  }
}

const NOT_HERE = { type: 'empty' } as const;

/** Nothing will happen to it, and nobody waits for it. */
function isOver(operation: DeviceOperation): boolean {
  if (!operation.isComplete || operation.isAwaited) return false;
  return !usesCopyEngine(operation.work) || !Number.isNaN(operation.reached.seen);
}
