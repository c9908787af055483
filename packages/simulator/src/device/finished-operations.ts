import type { DeviceRecord } from './device-record.ts';
import type { DeviceOperation } from './operation.ts';
import { type LoggedOperations, LogReader, OperationLog } from './operation-log.ts';

/** Gives the operations of a device that are complete, each once, to those who look on while the simulation runs. */
export class FinishedOperations {
  /** Rows of the log that have been looked at. */
  private looked = 0;
  /** Rows of operations that completed in the instant that was not over. */
  private late: number[] = [];
  /** Operations that have been given and are not in the log yet. */
  private readonly given = new Set<number>();

  /**
   * Those that completed before a time, in order of completion, and before Infinity all others too; undefined for none.
   *
   * @param open what is not in the log
   */
  take(before: number, log: OperationLog, open: Iterable<DeviceOperation>): LoggedOperations | undefined {
    const isLast = before === Number.POSITIVE_INFINITY;
    const batch: DeviceRecord[] = [];
    const reader = new LogReader(log.logged());
    const rows = this.late;
    for (; this.looked < reader.length; this.looked++) rows.push(this.looked);
    this.late = [];
    for (const row of rows) {
      const record = reader.record(row);
      if (this.given.delete(record.op)) continue;
      if (isLast || record.completion < before) batch.push(record);
      else this.late.push(row);
    }
    for (const operation of open) {
      if (!(isLast || operation.reached.complete < before) || this.given.has(operation.op)) continue;
      this.given.add(operation.op);
      batch.push(operation.record());
    }
    if (batch.length === 0) return undefined;
    const taken = new OperationLog();
    for (const record of batch.sort(byCompletion)) taken.add(record, NOT_TOLD);
    return taken.logged();
  }
}

const NOT_TOLD = { complete: Number.NaN, triggered: Number.NaN, started: Number.NaN, seen: Number.NaN };

/** What never completed comes last. */
function byCompletion(a: DeviceRecord, b: DeviceRecord): number {
  const [first, second] = [a, b].map(({ completion }) => (Number.isNaN(completion) ? Number.MAX_VALUE : completion));
  return (first as number) - (second as number) || a.op - b.op;
}
