import type { CopyWork } from '@griddep/cuda';
import type { PeerCopyDoneMessage, PeerCopyMessage } from '../messages.ts';
import type { DeviceTimes } from './body.ts';
import type { CopyEngines } from './copy-engines.ts';
import { peerRoute } from './copy-route.ts';
import type { Neighbour, Neighbours } from './neighbours.ts';
import { DeviceOperation } from './operation.ts';
import type { Send, Transfers } from './transfers.ts';
import type { Clock } from './unit-context.ts';

/** Where copies between devices stand. */
export interface PeerCopiesSpec {
  readonly device: number;
  readonly times: DeviceTimes;
  readonly neighbours: Neighbours;
}

type Done = (operation: DeviceOperation, clock: Clock) => void;

/**
 * Copies between devices with peer access. The engine of the source does them: a write by itself, a read when the
 * device in whose stream it is asks for it, and that device then learns of its end. So writes and reads from one memory
 * take turns, reads of several memories by one device do not, and a read takes two signals longer (case families
 * `p2pwrite-*`, `p2pread-*`, `fan-in-read-*`).
 */
export class PeerCopies {
  private readonly spec: PeerCopiesSpec;
  private readonly engines: CopyEngines;
  private readonly transfers: Transfers;
  private readonly send: Send;
  private readonly done: Done;
  /** Copies of this device's streams that another does. */
  private readonly asked = new Map<number, DeviceOperation>();

  constructor(spec: PeerCopiesSpec, engines: CopyEngines, transfers: Transfers, send: Send, done: Done) {
    this.spec = spec;
    this.engines = engines;
    this.transfers = transfers;
    this.send = send;
    this.done = done;
  }

  /** A copy whose order holds. */
  begin(operation: DeviceOperation, work: CopyWork, clock: Clock): void {
    const { device } = this.spec;
    const { sourceDevice, destinationDevice, bytes } = work;
    if (sourceDevice === device) {
      operation.unit = 'copy engine peer';
      this.push(
        operation,
        destinationDevice,
        bytes,
        (actual, alone, now) => {
          operation.addShared('link', actual, alone);
          operation.end = now.now;
          this.done(operation, now);
        },
        clock,
      );
      return;
    }
    operation.unit = `copy engine peer of device ${sourceDevice}`;
    operation.start = clock.now;
    this.asked.set(operation.op, operation);
    const source = this.neighbour(sourceDevice);
    const message: PeerCopyMessage = {
      type: 'peerCopy',
      op: operation.op,
      bytes,
      destination: destinationDevice,
      asker: device,
    };
    this.send(source.actor, source.signal(), message);
  }

  /** Another device asks for a copy from this one's memory. */
  serve({ op, bytes, destination, asker }: PeerCopyMessage, clock: Clock): void {
    const since = clock.now;
    const errand = new DeviceOperation(op, -1, ERRAND, false, since);
    this.push(
      errand,
      destination,
      bytes,
      (actual, alone) => {
        const behind = errand.held[0];
        const to = this.neighbour(asker);
        const message: PeerCopyDoneMessage = {
          type: 'peerCopyDone',
          op,
          actual,
          alone,
          behind: behind?.op ?? -1,
          from: behind?.from ?? since,
          until: behind?.until ?? since,
        };
        this.send(to.actor, to.signal(), message);
      },
      clock,
    );
  }

  /** The source has done a copy that this device asked for. */
  served({ op, actual, alone, behind, from, until }: PeerCopyDoneMessage, clock: Clock): void {
    const operation = this.asked.get(op) as DeviceOperation;
    this.asked.delete(op);
    operation.heldUntil('engine', behind, from, until, 'peer');
    operation.addShared('link', actual, alone);
    operation.end = clock.now;
    this.done(operation, clock);
  }

  private push(
    operation: DeviceOperation,
    destination: number,
    bytes: number,
    ended: (actual: number, alone: number, clock: Clock) => void,
    clock: Clock,
  ): void {
    const { times, device } = this.spec;
    const to = this.neighbour(destination);
    const route = peerRoute(to.path(), this.neighbour(device).actor, to.actor, times);
    const turn = {
      engine: 'peer' as const,
      operation,
      start: (now: Clock) => {
        operation.start = now.now;
        this.transfers.begin(bytes, route, (actual, alone, after) => {
          this.engines.leave(turn, after);
          ended(actual, alone, after);
        });
      },
    };
    this.engines.take(turn, clock);
  }

  private neighbour(device: number): Neighbour {
    return this.spec.neighbours.of(device);
  }
}

/** What another device's copy is here: nothing of any stream. */
const ERRAND = { type: 'empty' } as const;
