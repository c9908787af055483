import type { GraphCommand } from '@griddep/cuda';
import type { DeviceTimes } from './body.ts';
import type { Completion } from './completion.ts';
import type { Copies } from './copies.ts';
import type { DeviceOperation } from './operation.ts';
import { type Clock, PRIORITY, TIMER } from './unit-context.ts';

/** What operations without blocks do once they may begin. */
export class OffSmWork {
  private readonly times: DeviceTimes;
  private readonly copies: Copies;
  private readonly completion: Completion;
  private readonly startGraph: (operation: DeviceOperation, command: GraphCommand, clock: Clock) => void;
  private readonly write: (flag: string, value: number, clock: Clock) => void;
  /** Copies and host functions that became ready in this instant. */
  private readonly arrivals: DeviceOperation[] = [];
  /** When the host functions so far have returned. */
  private hostFunctionsUntil = 0;

  constructor(
    times: DeviceTimes,
    copies: Copies,
    completion: Completion,
    startGraph: (operation: DeviceOperation, command: GraphCommand, clock: Clock) => void,
    write: (flag: string, value: number, clock: Clock) => void,
  ) {
    this.times = times;
    this.copies = copies;
    this.completion = completion;
    this.startGraph = startGraph;
    this.write = write;
  }

  /** An operation without blocks begins. @throws Error for one that runs on the SMs. */
  proceed(operation: DeviceOperation, clock: Clock): void {
    const { work, op } = operation;
    switch (work.type) {
      case 'record':
      case 'wait':
      case 'waitValue':
      case 'writeValue':
      case 'empty':
        if (work.type === 'writeValue') this.write(work.flag, work.value, clock);
        operation.start = clock.now;
        operation.end = clock.now;
        this.completion.finish(operation, clock);
        if (operation.carrier !== undefined) this.copies.recordDone(operation, clock);
        break;
      case 'graph':
        this.startGraph(operation, work, clock);
        break;
      case 'copy':
      case 'hostFunction':
        this.awaitEngine(operation, clock);
        break;
      case 'pool':
        operation.start = clock.now;
        operation.end = clock.now + this.times.poolOperation;
        clock.timer(operation.end, PRIORITY.step, TIMER.flushed, op);
        break;
      case 'kernel':
      case 'collective':
      case 'memset':
        throw new Error(`operation ${op} runs on the SMs`);
    }
  }

  /** A copy, a host function, or a record that a copy engine carries out takes its turn. */
  awaitEngine(operation: DeviceOperation, clock: Clock): void {
    this.arrivals.push(operation);
    if (this.arrivals.length === 1) clock.timer(clock.now, PRIORITY.engines, TIMER.engines, 0);
  }

  /** Of copies and host functions that became ready in one instant, the one enqueued first goes first. */
  takeEngines(clock: Clock): void {
    const arrivals = this.arrivals.splice(0).sort((a, b) => a.op - b.op);
    for (const operation of arrivals) {
      if (operation.work.type === 'hostFunction') this.hostFunction(operation, operation.work.duration, clock);
      else if (operation.carrier !== undefined) this.copies.beginRecord(operation, operation.carrier, clock);
      else this.copies.begin(operation, clock);
    }
  }

  /** Host functions run one at a time (rule 5.12). */
  private hostFunction(operation: DeviceOperation, duration: number, clock: Clock): void {
    operation.start = Math.max(clock.now, this.hostFunctionsUntil);
    operation.end = operation.start + duration;
    this.hostFunctionsUntil = operation.end;
    clock.timer(operation.end + this.times.hostFunctionReturn, PRIORITY.step, TIMER.flushed, operation.op);
  }
}
