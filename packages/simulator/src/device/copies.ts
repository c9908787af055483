import type { CopyWork } from '@griddep/cuda';
import type { DeviceInbound } from '../messages.ts';
import type { DeviceTimes } from './body.ts';
import { CopyEngines, type EngineName, type Turn } from './copy-engines.ts';
import { hostRoute } from './copy-route.ts';
import type { Neighbours } from './neighbours.ts';
import type { DeviceOperation } from './operation.ts';
import type { Operations } from './operations.ts';
import { PeerCopies } from './peer-copies.ts';
import { StagedCopies } from './staged-copies.ts';
import { type Send, Transfers } from './transfers.ts';
import { type Clock, PRIORITY, TIMER } from './unit-context.ts';
import { readsOther, travelsInCommand } from './work.ts';

/** Where copies stand. */
export interface CopiesSpec {
  readonly device: number;
  readonly engines: Readonly<Record<EngineName, number>>;
  readonly times: DeviceTimes;
  /** Actor that owns the link to the host. */
  readonly fabric: number;
  readonly neighbours: Neighbours;
}

/** What copies tell the rest of the device. */
export interface CopyEvents {
  ended(operation: DeviceOperation, clock: Clock): void;
  /** The compute queues have noticed that a copy is complete. */
  seen(operation: DeviceOperation, clock: Clock): void;
  /** A half of a staged copy is an operation of its own. */
  began(half: DeviceOperation): void;
}

/**
 * Copies by engine: in turn on their engine, over a fabric, and then unnoticed by the compute queues until these look
 * (case families `copy-*`, `kernel-copy-kernel-*`).
 */
export class Copies {
  private readonly spec: CopiesSpec;
  private readonly engines: CopyEngines;
  private readonly transfers: Transfers;
  private readonly peers: PeerCopies;
  private readonly staged: StagedCopies;
  private readonly operations: Operations;
  /** Records that have a turn on an engine. */
  private readonly records = new Map<DeviceOperation, Turn>();
  /** Complete, and not noticed by a compute queue. */
  private readonly unseen = new Set<DeviceOperation>();
  /** Engines that have noticed the end of work elsewhere before. */
  private readonly noticed = new Set<EngineName>();
  private readonly events: CopyEvents;

  constructor(spec: CopiesSpec, operations: Operations, send: Send, events: CopyEvents) {
    this.spec = spec;
    this.operations = operations;
    this.events = events;
    this.engines = new CopyEngines(spec.engines);
    this.transfers = new Transfers(spec.times, send);
    const done = (operation: DeviceOperation, clock: Clock): void => events.ended(operation, clock);
    this.peers = new PeerCopies(spec, this.engines, this.transfers, send, done);
    this.staged = new StagedCopies(spec, this.engines, this.transfers, send, { began: events.began, done });
  }

  /** A copy whose order holds. */
  begin(operation: DeviceOperation, clock: Clock): void {
    const work = operation.work as CopyWork;
    operation.ready = clock.now;
    operation.looksFrom = clock.now;
    if (operation.entersEngine) this.awaitPickUp(operation, clock);
    else this.go(operation, work, clock);
  }

  /**
   * An engine has to notice that work elsewhere is over. The first time in a run it does so after the usual time (case families
   * `kernel-copy-kernel-*`, and the first gap of `copy-chain-*`, which hardly ever is a long one); later its looks come at intervals
   * that have nothing to do with that work (`copy-chain-*`). The compute queues look as if the usual time had passed.
   */
  private awaitPickUp(operation: DeviceOperation, clock: Clock): void {
    const { copyNotice, copyPickUp, copyLookPeriod } = this.spec.times;
    const engine = engineOf(operation.work as CopyWork);
    const toLook = copyLookPeriod - (clock.now % copyLookPeriod);
    const wait = this.noticed.has(engine) ? toLook + copyPickUp : copyNotice;
    this.noticed.add(engine);
    operation.looksFrom = clock.now + copyNotice;
    clock.timer(clock.now + Math.ceil(wait), PRIORITY.engines, TIMER.pickUp, operation.op);
  }

  /** An engine takes up a copy. */
  pickUp(op: number, clock: Clock): void {
    const operation = this.operations.get(op) as DeviceOperation;
    this.go(operation, operation.work as CopyWork, clock);
  }

  private go(operation: DeviceOperation, work: CopyWork, clock: Clock): void {
    if (work.staging !== undefined) this.staged.begin(operation, work, work.staging, clock);
    else if (work.copy === 'peer') this.peers.begin(operation, work, clock);
    else this.overHostLink(operation, work, clock);
  }

  /** A record of a stream whose last work was a copy takes a turn on that engine (case family `copies-*`). */
  beginRecord(operation: DeviceOperation, carrier: CopyWork, clock: Clock): void {
    const stamp = operation.work.type === 'record' && operation.work.timing ? this.spec.times.timingRecord : 0;
    const turn: Turn = {
      engine: engineOf(carrier),
      operation,
      start: (now) => now.timer(now.now + stamp, PRIORITY.step, TIMER.operation, operation.op),
    };
    operation.unit = `copy engine ${turn.engine}`;
    operation.ready = clock.now;
    this.records.set(operation, turn);
    this.engines.take(turn, clock);
  }

  /** The record is done: another takes the engine. */
  recordDone(operation: DeviceOperation, clock: Clock): void {
    const turn = this.records.get(operation);
    if (turn === undefined) return;
    this.records.delete(operation);
    this.engines.leave(turn, clock);
  }

  /** A fabric or another device answers or asks. */
  receive(
    message: Extract<DeviceInbound, { type: 'transferDone' | 'peerCopy' | 'peerCopyDone' | 'staging' }>,
    clock: Clock,
  ): void {
    switch (message.type) {
      case 'transferDone':
        this.transfers.done(message, clock);
        break;
      case 'peerCopy':
        this.peers.serve(message, clock);
        break;
      case 'peerCopyDone':
        this.peers.served(message, clock);
        break;
      case 'staging':
        this.staged.step(message, clock);
        break;
    }
  }

  /**
   * A copy is complete. The compute queues look for that at intervals that began when its order was satisfied; of a copy
   * that another device's engine did they have been told.
   */
  awaitLook(copy: DeviceOperation, clock: Clock): void {
    const { times, device } = this.spec;
    const work = copy.work as CopyWork;
    if (readsOther(work, device)) {
      this.events.seen(copy, clock);
      return;
    }
    const peer = work.copy === 'peer';
    const first = peer ? times.peerLookFirst : times.copyLookFirst;
    const period = peer ? times.peerLookPeriod : times.copyLookPeriod;
    const since = clock.now - copy.looksFrom - first;
    const periods = since <= 0 ? 0 : Math.ceil(since / period);
    this.unseen.add(copy);
    clock.timer(copy.looksFrom + first + periods * period, PRIORITY.step, TIMER.look, copy.op);
  }

  /** The compute queues look whether a copy is complete, and see that it is. */
  look(op: number, clock: Clock): void {
    const copy = this.operations.get(op) as DeviceOperation;
    if (this.unseen.delete(copy)) this.events.seen(copy, clock);
  }

  /** A new command of the host makes the compute queues look at once (case family `host-copies-*`). */
  lookNow(clock: Clock): void {
    for (const copy of [...this.unseen]) this.look(copy.op, clock);
  }

  private overHostLink(operation: DeviceOperation, work: CopyWork, clock: Clock): void {
    const { device, fabric, times } = this.spec;
    const route = hostRoute(work.copy === 'hostToDevice' ? 'up' : 'down', work, device, fabric, times);
    const move = (now: Clock, then: (after: Clock) => void): void => {
      operation.start = now.now;
      this.transfers.begin(work.bytes, route, (actual, alone, after) => {
        operation.addShared('link', actual, alone);
        operation.end = after.now;
        then(after);
        this.events.ended(operation, after);
      });
    };
    if (travelsInCommand(work, times)) {
      move(clock, () => {});
      return;
    }
    const turn: Turn = {
      engine: route.engine,
      operation,
      start: (now) => move(now, (after) => this.engines.leave(turn, after)),
    };
    operation.unit = `copy engine ${route.engine}`;
    this.engines.take(turn, clock);
  }
}

function engineOf({ copy }: CopyWork): EngineName {
  return copy === 'hostToDevice' ? 'up' : copy === 'deviceToHost' ? 'down' : 'peer';
}
