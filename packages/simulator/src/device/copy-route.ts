import type { CopyWork } from '@griddep/cuda';
import { downPort, upPort } from '../fabric/host-links.ts';
import type { PeerPath } from '../fabric/topology-plan.ts';
import type { MemoryLoad } from '../messages.ts';
import type { DeviceTimes } from './body.ts';
import type { EngineName } from './copy-engines.ts';

/** How the bytes of a copy go, seen from the device whose engine moves them. */
export interface CopyRoute {
  readonly engine: EngineName;
  /** Time beyond bytes over bandwidth, ps. */
  readonly latency: number;
  /** Actor of the fabric that is crossed, and its ports. */
  readonly fabric: number;
  readonly ports: readonly string[];
  /** The most that is moved, bytes per second, whatever the ports let through. */
  readonly limit: number;
  readonly loads: readonly MemoryLoad[];
}

const NO_LOADS: readonly MemoryLoad[] = [];

/** The link of an upload or download between a device and its host. */
export function hostRoute(
  direction: 'up' | 'down',
  { bytes, stagingRate }: Pick<CopyWork, 'bytes' | 'stagingRate'>,
  device: number,
  fabric: number,
  times: DeviceTimes,
): CopyRoute {
  const staged = stagingRate > 0 ? stagingRate : Number.POSITIVE_INFINITY;
  if (direction === 'up') {
    return {
      engine: 'up',
      latency: bytes <= times.copyInline ? times.copyInlineTime : times.copyUpLatency,
      fabric,
      ports: [upPort(device)],
      limit: Math.min(staged, times.copyUpBandwidth),
      loads: NO_LOADS,
    };
  }
  return {
    engine: 'down',
    latency: times.copyDownLatency,
    fabric,
    ports: [downPort(device)],
    limit: Math.min(staged, times.copyDownBandwidth),
    loads: NO_LOADS,
  };
}

/**
 * The way of a copy from one device to another, which the source's engine for peers pushes. Both memories feel it
 * (case family `p2p-with-load-*`).
 */
export function peerRoute(path: PeerPath, source: number, destination: number, times: DeviceTimes): CopyRoute {
  return {
    engine: 'peer',
    latency: times.peerWriteLatency + path.latency,
    fabric: path.fabric,
    ports: path.ports,
    limit: Number.POSITIVE_INFINITY,
    loads: [
      { actor: source, perByte: times.peerSourceLoad },
      { actor: destination, perByte: times.peerDestinationLoad },
    ],
  };
}
