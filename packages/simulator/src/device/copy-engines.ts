import type { CopyWork } from '@griddep/cuda';
import type { DeviceTimes } from './body.ts';
import type { DeviceOperation } from './operation.ts';

/** By direction, seen from the device. */
export type EngineName = 'up' | 'down' | 'peer';

interface Engine {
  readonly name: EngineName;
  readonly capacity: number;
  readonly running: Set<DeviceOperation>;
  readonly waiting: DeviceOperation[];
}

/** Copy engines of a device: copies of one direction take turns, in the order in which they became ready (rule 6.11). */
export class CopyEngines {
  private readonly engines: Readonly<Record<EngineName, Engine>>;

  constructor(counts: Readonly<Record<EngineName, number>>) {
    const engine = (name: EngineName): Engine => ({ name, capacity: counts[name], running: new Set(), waiting: [] });
    this.engines = { up: engine('up'), down: engine('down'), peer: engine('peer') };
  }

  /** A copy whose order holds; true if it starts at once. */
  ready(operation: DeviceOperation, name: EngineName, now: number): boolean {
    const engine = this.engines[name];
    operation.unit = `copy engine ${name}`;
    operation.ready = now;
    if (engine.running.size >= engine.capacity) {
      engine.waiting.push(operation);
      return false;
    }
    engine.running.add(operation);
    return true;
  }

  /** A copy has left its engine; returns the one that takes its place. */
  ended(operation: DeviceOperation, name: EngineName, now: number): DeviceOperation | undefined {
    const engine = this.engines[name];
    engine.running.delete(operation);
    const next = engine.waiting.shift();
    if (next === undefined) return undefined;
    next.heldUntil('engine', operation.op, next.ready, now, engine.name);
    engine.running.add(next);
    return next;
  }
}

/** How a copy goes: its engine, the time beyond bytes over bandwidth (ps), the ports it crosses and its own limit (B/s). */
export interface CopyRoute {
  readonly engine: EngineName;
  readonly latency: number;
  readonly ports: readonly string[];
  readonly limit: number;
}

/** The route of a copy, seen from the device in whose stream it runs. */
export function copyRoute(work: CopyWork, device: number, times: DeviceTimes): CopyRoute {
  const staged = work.stagingRate > 0 ? work.stagingRate : Number.POSITIVE_INFINITY;
  if (work.copy === 'hostToDevice') {
    const inline = work.bytes <= times.copyInline;
    return {
      engine: 'up',
      latency: inline ? times.copyInlineTime : times.copyUpLatency,
      ports: [`up ${device}`],
      limit: Math.min(staged, times.copyUpBandwidth),
    };
  }
  if (work.copy === 'deviceToHost') {
    return {
      engine: 'down',
      latency: times.copyDownLatency,
      ports: [`down ${device}`],
      limit: Math.min(staged, times.copyDownBandwidth),
    };
  }
  const writes = work.sourceDevice === device;
  return {
    engine: 'peer',
    latency: writes ? times.peerWriteLatency : times.peerReadLatency,
    ports: [`egress ${work.sourceDevice}`, `ingress ${work.destinationDevice}`],
    limit: Number.POSITIVE_INFINITY,
  };
}
