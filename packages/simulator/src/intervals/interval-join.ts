import type { InterimResult } from '@griddep/engine';
import { toOperation } from '../assemble.ts';
import { type LoggedOperations, LogReader } from '../device/operation-log.ts';
import type { HostRecord } from '../host/host-record.ts';
import type { MachineActors } from '../machine-actors.ts';
import { Positions } from '../positions.ts';
import type { Interval } from './interval.ts';

/** A batch of a device, and how much of it has been given on. */
interface Queued {
  readonly log: LogReader;
  row: number;
}

/**
 * Joins what hosts and devices give while they run: a host knows who an operation is, its device when it ran, and either
 * may tell first. Operations of a device leave in order of their completion.
 */
export class IntervalJoin {
  private readonly actors: MachineActors;
  /** Of operations whose device has not told of them. */
  private readonly calls = new Map<number, HostRecord>();
  private readonly queues = new Map<number, Queued[]>();

  constructor(actors: MachineActors) {
    this.actors = actors;
  }

  /** Takes what actors gave; returns what is known in full. */
  add(results: readonly InterimResult[]): Interval[] {
    const intervals: Interval[] = [];
    for (const { actor, data } of results) {
      if (this.actors.deviceOf(actor) >= 0) {
        this.queueOf(actor).push({ log: new LogReader(data as LoggedOperations), row: 0 });
      } else {
        for (const record of data as readonly HostRecord[]) {
          if (record.device < 0) intervals.push(intervalOf(record));
          else this.calls.set(record.op, record);
        }
      }
    }
    for (const queue of this.queues.values()) this.release(queue, intervals);
    return intervals;
  }

  /** What no device has heard of, when the run is over. */
  rest(): Interval[] {
    const left = [...this.calls.values()].sort((a, b) => a.callBegin - b.callBegin || a.op - b.op);
    this.calls.clear();
    return left.map((record) => intervalOf(record));
  }

  private queueOf(actor: number): Queued[] {
    let queue = this.queues.get(actor);
    if (queue === undefined) {
      queue = [];
      this.queues.set(actor, queue);
    }
    return queue;
  }

  /** From the front, as far as the calls are known. */
  private release(queue: Queued[], intervals: Interval[]): void {
    for (let first = queue[0]; first !== undefined; first = queue[0]) {
      for (; first.row < first.log.length; first.row++) {
        const record = first.log.record(first.row);
        const call = this.calls.get(record.op);
        if (call === undefined) return;
        this.calls.delete(record.op);
        intervals.push(intervalOf(call, record));
      }
      queue.shift();
    }
  }
}

const NO_POSITIONS = new Positions([]);

function intervalOf(call: HostRecord, record?: ReturnType<LogReader['record']>): Interval {
  return { op: call.op, operation: toOperation({ ...call, id: call.label ?? '' }, record, -1, NO_POSITIONS) };
}
