import type { Constant } from './constant.ts';
import type { DeviceTiming, HostTiming } from './timing.ts';

export const MACHINE_SCHEMA = 'griddep/machine@1';
/** Devices of one machine; a typing error in a count should not fill the memory. */
export const MOST_DEVICES = 4096;

/** Limits of a device; docs/RULES.md section 7. Sizes in bytes. */
export interface DeviceLimits {
  readonly sms: number;
  readonly warpsPerSm: number;
  readonly threadsPerSm: number;
  readonly blocksPerSm: number;
  readonly threadsPerBlock: number;
  readonly registersPerSm: number;
  readonly registersPerThread: number;
  readonly sharedMemoryPerSm: number;
  readonly sharedMemoryPerBlockOptIn: number;
  readonly sharedMemoryReservedPerBlock: number;
  readonly staticSharedMemory: number;
  /** Steps to which an SM's shared memory can be configured, bytes, ascending. */
  readonly carveOuts: readonly number[];
  readonly residentGrids: number;
  readonly maxClusterSize: number;
  readonly maxClusterSizeOptIn: number;
  readonly hardwareQueues: number;
  readonly memoryBytes: number;
  readonly l2Bytes: number;
  /** Copy engines per direction; downloads that have none of their own take turns with uploads (rule 6.11). */
  readonly copyEnginesUp: number;
  readonly copyEnginesDown: number;
  readonly copyEnginesPeer: number;
  /** Smallest grid, block-index limits: x, y, z. */
  readonly maxGrid: readonly [number, number, number];
  readonly maxBlock: readonly [number, number, number];
  /** Lowest (largest) and highest (smallest) stream priority. */
  readonly priorityLowest: number;
  readonly priorityHighest: number;
}

export interface DeviceProfile {
  readonly name: string;
  readonly computeCapability: readonly [major: number, minor: number];
  readonly limits: DeviceLimits;
  /** Where the limits come from. */
  readonly limitsSource: string;
  /** Timing constants by name. */
  readonly timing: DeviceTiming;
}

/**
 * Which calls synchronise implicitly (rules 6.6, 6.7; sources differ, C6). `observed`: device and page-locked
 * allocation and their frees hold the host until the device's work is complete, nothing else does, as an H200 was seen to
 * do. `listed`: the programming guide's list as well, so that no work of different streams overlaps across a memset or a
 * copy within a device, and a pool that grows holds the host.
 */
export type ImplicitSynchronization = 'observed' | 'listed';

export interface HostProfile {
  /** CUDA version as 1000 * major + 10 * minor, e.g. 13000. */
  readonly cudaVersion: number;
  /** CUDA_DEVICE_MAX_CONNECTIONS. */
  readonly maxConnections: number;
  /** True if stream 0 is the per-thread default stream. */
  readonly perThreadDefaultStream: boolean;
  /** Commands of one stream that can be pending before a call blocks (rule 7.15). */
  readonly queueDepth: number;
  /** Which calls are implicit synchronisations. */
  readonly implicitSynchronization: ImplicitSynchronization;
  /** Call costs by name. */
  readonly timing: HostTiming;
}

/**
 * How devices are joined. `peerAccess` is false where devices that no NVLink joins cannot touch each other's memory, as
 * those of consumer cards (rule 6.10: error 217); true if absent.
 */
export type Topology =
  | { readonly kind: 'pcie'; readonly peerAccess?: boolean }
  | { readonly kind: 'nvlinkSwitch'; readonly bandwidth: Constant; readonly latency: Constant }
  | {
      readonly kind: 'nvlinkPairs';
      readonly pairs: readonly (readonly [number, number])[];
      readonly peerAccess?: boolean;
      readonly bandwidth: Constant;
      readonly latency: Constant;
    }
  | {
      readonly kind: 'nodes';
      readonly devicesPerNode: number;
      readonly within: Topology;
      readonly bandwidth: Constant;
      readonly latency: Constant;
    };

export interface Machine {
  readonly name: string;
  readonly devices: readonly DeviceProfile[];
  readonly topology: Topology;
  readonly host: HostProfile;
}
