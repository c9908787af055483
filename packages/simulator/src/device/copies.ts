import type { CopyWork } from '@griddep/cuda';
import type { Context } from '@griddep/engine';
import type { TransferDoneMessage, TransferMessage } from '../messages.ts';
import type { DeviceTimes } from './body.ts';
import { CopyEngines, type CopyRoute, copyRoute, type EngineName } from './copy-engines.ts';
import type { DeviceOperation } from './operation.ts';
import { type Clock, PRIORITY, TIMER } from './unit-context.ts';

/** Where copies stand. */
export interface CopiesSpec {
  readonly device: number;
  readonly engines: Readonly<Record<EngineName, number>>;
  readonly times: DeviceTimes;
  /** Actor that owns the ports which the copies cross. */
  readonly fabric: number;
}

/**
 * Copies by engine: in turn on their engine, over the fabric, and then unnoticed by the compute queues until these look
 * (case families `copy-*`, `kernel-copy-kernel-*`).
 */
export class Copies {
  private readonly spec: CopiesSpec;
  private readonly engines: CopyEngines;
  private readonly operations: ReadonlyMap<number, DeviceOperation>;
  /** Of the copies that have begun and not ended. */
  private readonly routes = new Map<DeviceOperation, CopyRoute>();
  /** Complete, and not noticed by a compute queue. */
  private readonly unseen = new Set<DeviceOperation>();
  private readonly ended: (operation: DeviceOperation, clock: Clock) => void;
  private readonly seen: (operation: DeviceOperation, clock: Clock) => void;

  constructor(
    spec: CopiesSpec,
    operations: ReadonlyMap<number, DeviceOperation>,
    ended: (operation: DeviceOperation, clock: Clock) => void,
    seen: (operation: DeviceOperation, clock: Clock) => void,
  ) {
    this.spec = spec;
    this.operations = operations;
    this.ended = ended;
    this.seen = seen;
    this.engines = new CopyEngines(spec.engines);
  }

  /** A copy whose order holds. */
  begin(operation: DeviceOperation, clock: Clock): void {
    const route = copyRoute(operation.work as CopyWork, this.spec.device, this.spec.times);
    this.routes.set(operation, route);
    const started = this.engines.ready(operation, route.engine, clock.now);
    if (started) this.start(operation, clock);
  }

  /** A record of a stream whose last work was a copy takes a turn on that engine (case family `copies-*`). */
  beginRecord(operation: DeviceOperation, carrier: CopyWork, clock: Clock): void {
    if (this.engines.ready(operation, this.engineOf(carrier), clock.now)) this.start(operation, clock);
  }

  /** The record is done: another takes the engine. */
  recordDone(operation: DeviceOperation, carrier: CopyWork, clock: Clock): void {
    this.leave(operation, this.engineOf(carrier), clock);
  }

  /** The part of the latency before the bytes flow has passed. */
  requestTransfer(op: number, context: Context): void {
    const operation = this.operations.get(op) as DeviceOperation;
    const { ports, limit } = this.route(operation);
    const { bytes } = operation.work as CopyWork;
    const message: TransferMessage = { type: 'transfer', id: op, bytes, ports, limit };
    context.send(this.spec.fabric, 0, message);
  }

  /** The fabric has moved a copy's bytes: it ends, and another takes its engine. */
  transferDone({ id, actual, alone }: TransferDoneMessage, clock: Clock): void {
    const operation = this.operations.get(id) as DeviceOperation;
    operation.addShared('link', actual, alone);
    operation.end = clock.now;
    this.leave(operation, this.route(operation).engine, clock);
    this.routes.delete(operation);
    this.ended(operation, clock);
  }

  /** A copy is complete. The compute queues look for that at intervals that began when its order was satisfied. */
  awaitLook(copy: DeviceOperation, clock: Clock): void {
    const { copyLookFirst, copyLookPeriod } = this.spec.times;
    const since = clock.now - copy.ready - copyLookFirst;
    const periods = since <= 0 ? 0 : Math.ceil(since / copyLookPeriod);
    this.unseen.add(copy);
    clock.timer(copy.ready + copyLookFirst + periods * copyLookPeriod, PRIORITY.step, TIMER.look, copy.op);
  }

  /** The compute queues look whether a copy is complete, and see that it is. */
  look(op: number, clock: Clock): void {
    const copy = this.operations.get(op) as DeviceOperation;
    if (this.unseen.delete(copy)) this.seen(copy, clock);
  }

  /** A new command of the host makes the compute queues look at once (case family `host-copies-*`). */
  lookNow(clock: Clock): void {
    for (const copy of [...this.unseen]) this.look(copy.op, clock);
  }

  private leave(operation: DeviceOperation, engine: EngineName, clock: Clock): void {
    const next = this.engines.ended(operation, engine, clock.now);
    if (next !== undefined) this.start(next, clock);
  }

  private start(operation: DeviceOperation, clock: Clock): void {
    const { work } = operation;
    if (work.type === 'record') {
      const stamp = work.timing ? this.spec.times.timingRecord : 0;
      clock.timer(clock.now + stamp, PRIORITY.step, TIMER.operation, operation.op);
      return;
    }
    operation.start = clock.now;
    const ask = Math.max(0, this.route(operation).latency - this.spec.times.transferAnswer);
    clock.timer(clock.now + ask, PRIORITY.step, TIMER.copyStart, operation.op);
  }

  private engineOf(work: CopyWork): EngineName {
    return copyRoute(work, this.spec.device, this.spec.times).engine;
  }

  private route(operation: DeviceOperation): CopyRoute {
    return this.routes.get(operation) as CopyRoute;
  }
}
