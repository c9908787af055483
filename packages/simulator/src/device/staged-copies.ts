import type { CopyWork } from '@griddep/cuda';
import type { StagedCopy, StagingMessage } from '../messages.ts';
import type { DeviceTimes } from './body.ts';
import type { CopyEngines } from './copy-engines.ts';
import { hostRoute } from './copy-route.ts';
import type { Neighbours } from './neighbours.ts';
import { DeviceOperation } from './operation.ts';
import type { Send, Transfers } from './transfers.ts';
import type { Clock } from './unit-context.ts';

/** Where staged copies stand. */
export interface StagedCopiesSpec {
  readonly device: number;
  readonly times: DeviceTimes;
  /** Actor of the link to the host. */
  readonly fabric: number;
  readonly neighbours: Neighbours;
}

/** What staged copies tell the rest of the device. */
export interface StagedEvents {
  /** A half of a staged copy begins: an operation of its own. */
  began(half: DeviceOperation): void;
  done(operation: DeviceOperation, clock: Clock): void;
}

/** The download of a copy's source, or the upload of its destination: chunk by chunk, in order. */
interface Half {
  readonly operation: DeviceOperation;
  /** Chunks begun. */
  next: number;
  /** Chunks that may begin: downloads that a buffer is free for, uploads whose buffer is filled. */
  allowed: number;
  busy: boolean;
}

/**
 * Copies between devices without peer access (rule 6.9): the source downloads into staging buffers of the host, the
 * destination uploads from them, each on its own engine and link, chunk after chunk, and each learns of the other's
 * progress after `peerStagingSignal` (case families `p2pread-*-peer0-*`, `p2pwrite-*-peer0-*`).
 */
export class StagedCopies {
  private readonly spec: StagedCopiesSpec;
  private readonly engines: CopyEngines;
  private readonly transfers: Transfers;
  private readonly send: Send;
  private readonly events: StagedEvents;
  /** Of this device's streams, by operation. */
  private readonly own = new Map<number, DeviceOperation>();
  private readonly downloads = new Map<number, Half>();
  private readonly uploads = new Map<number, Half>();

  constructor(spec: StagedCopiesSpec, engines: CopyEngines, transfers: Transfers, send: Send, events: StagedEvents) {
    this.spec = spec;
    this.engines = engines;
    this.transfers = transfers;
    this.send = send;
    this.events = events;
  }

  /** A copy whose order holds. */
  begin(operation: DeviceOperation, work: CopyWork, staging: NonNullable<CopyWork['staging']>, clock: Clock): void {
    const copy: StagedCopy = {
      op: operation.op,
      bytes: work.bytes,
      chunk: staging.chunk,
      buffers: staging.buffers,
      source: work.sourceDevice,
      destination: work.destinationDevice,
      asker: this.spec.device,
    };
    operation.start = clock.now;
    operation.unit = 'staging';
    this.own.set(operation.op, operation);
    this.tell(copy.source, 'begin', 0, copy, clock);
  }

  /** A step of a copy that this device takes part in. */
  step({ step, chunk, copy }: StagingMessage, clock: Clock): void {
    switch (step) {
      case 'begin':
        this.advance(this.make(this.downloads, copy, clock), copy, copy.buffers, clock);
        break;
      case 'filled':
        this.advance(this.uploads.get(copy.op) ?? this.make(this.uploads, copy, clock), copy, chunk + 1, clock);
        break;
      case 'emptied': {
        const download = this.downloads.get(copy.op);
        if (download !== undefined) this.advance(download, copy, chunk + 1 + copy.buffers, clock);
        break;
      }
      case 'done': {
        const operation = this.own.get(copy.op) as DeviceOperation;
        this.own.delete(copy.op);
        operation.end = clock.now;
        this.events.done(operation, clock);
        break;
      }
    }
  }

  /** Makes the part of a copy that is this device's. */
  private make(halves: Map<number, Half>, copy: StagedCopy, clock: Clock): Half {
    const down = halves === this.downloads;
    const operation = new DeviceOperation(copy.op + (down ? 1 : 2), -1, HALF, false, clock.now);
    operation.cause = 'staging';
    operation.causeOp = down ? copy.op : copy.op + 1;
    operation.unit = down ? 'copy engine down' : 'copy engine up';
    operation.processing = clock.now;
    operation.issued = true;
    const half: Half = { operation, next: 0, allowed: 0, busy: false };
    halves.set(copy.op, half);
    this.events.began(operation);
    return half;
  }

  private advance(half: Half, copy: StagedCopy, allowed: number, clock: Clock): void {
    half.allowed = Math.max(half.allowed, Math.min(allowed, chunksOf(copy)));
    if (half.busy || half.next >= half.allowed) return;
    half.busy = true;
    const { operation } = half;
    const chunk = half.next++;
    const bytes = Math.min(copy.chunk, copy.bytes - chunk * copy.chunk);
    const down = this.downloads.get(copy.op) === half;
    const { device, fabric, times } = this.spec;
    const route = hostRoute(down ? 'down' : 'up', { bytes, stagingRate: 0 } as CopyWork, device, fabric, times);
    const turn = {
      engine: route.engine,
      operation,
      start: (now: Clock) => {
        if (chunk === 0) operation.start = now.now;
        this.transfers.begin(bytes, route, (actual, alone, after) => {
          operation.addShared('link', actual, alone);
          this.engines.leave(turn, after);
          half.busy = false;
          this.moved(half, copy, chunk, down, after);
        });
      },
    };
    this.engines.take(turn, clock);
  }

  /** A chunk has been moved. */
  private moved(half: Half, copy: StagedCopy, chunk: number, down: boolean, clock: Clock): void {
    const last = chunk === chunksOf(copy) - 1;
    if (last) {
      half.operation.end = clock.now;
      half.operation.reach('complete', clock.now);
      (down ? this.downloads : this.uploads).delete(copy.op);
    }
    if (down) this.tell(copy.destination, 'filled', chunk, copy, clock);
    else if (last) this.tell(copy.asker, 'done', chunk, copy, clock);
    else this.tell(copy.source, 'emptied', chunk, copy, clock);
    if (!last) this.advance(half, copy, half.allowed, clock);
  }

  private tell(device: number, step: StagingMessage['step'], chunk: number, copy: StagedCopy, clock: Clock): void {
    const message: StagingMessage = { type: 'staging', step, chunk, copy };
    if (device === this.spec.device) this.step(message, clock);
    else this.send(this.spec.neighbours.of(device).actor, this.spec.times.peerStagingSignal, message);
  }
}

function chunksOf({ bytes, chunk }: StagedCopy): number {
  return Math.max(1, Math.ceil(bytes / chunk));
}

/** What a half of a copy is as work: nothing of any stream. */
const HALF = { type: 'empty' } as const;
