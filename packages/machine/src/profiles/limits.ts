import type { DeviceLimits } from '../machine.ts';
import { WARP_SIZE } from '../sm.ts';

const KB = 1024;
const kilobytes = (...steps: number[]): number[] => steps.map((step) => step * KB);

/** What differs between devices of one architecture. */
export interface DeviceSize {
  readonly sms: number;
  readonly memoryBytes: number;
  readonly l2Bytes: number;
}

/** What differs between architectures; docs/RULES.md rules 7.1, 7.5 and 7.7. */
interface ArchitectureLimits {
  readonly warpsPerSm: number;
  readonly blocksPerSm: number;
  readonly sharedMemoryPerSm: number;
  readonly carveOuts: readonly number[];
  readonly maxClusterSize: number;
  readonly maxClusterSizeOptIn: number;
}

/** Shared-memory steps of large and small SMs, and those that compute capability 9.0 added (rule 7.5). */
const LARGE = kilobytes(0, 8, 16, 32, 64, 100, 132, 164);
const SMALL = kilobytes(0, 8, 16, 32, 64, 100);
const HOPPER_STEPS = [...LARGE, ...kilobytes(196, 228)];

function architecture(
  warps: number,
  blocks: number,
  carveOuts: readonly number[],
  clusters: boolean,
): ArchitectureLimits {
  return {
    warpsPerSm: warps,
    blocksPerSm: blocks,
    sharedMemoryPerSm: Math.max(...carveOuts),
    carveOuts,
    maxClusterSize: clusters ? 8 : 1,
    maxClusterSizeOptIn: clusters ? 16 : 1,
  };
}

/** By compute capability; clusters begin with 9.0. Source: CUDA Programming Guide, table of technical specifications. */
const ARCHITECTURES = {
  '8.0': architecture(64, 32, LARGE, false),
  '8.6': architecture(48, 16, SMALL, false),
  '8.7': architecture(48, 16, LARGE, false),
  '8.9': architecture(48, 24, SMALL, false),
  '9.0': architecture(64, 32, HOPPER_STEPS, true),
  '10.0': architecture(64, 32, HOPPER_STEPS, true),
  '11.0': architecture(48, 24, HOPPER_STEPS, true),
  '12.0': architecture(48, 24, SMALL, true),
} as const satisfies Readonly<Record<string, ArchitectureLimits>>;

/** Compute capabilities whose limits are known, as `major.minor`. */
export type KnownCapability = keyof typeof ARCHITECTURES;

/** Limits of a device of a compute capability (rules 7.1 to 7.7). */
export function limitsOf(capability: KnownCapability, size: DeviceSize): DeviceLimits {
  return limits(ARCHITECTURES[capability], size);
}

function limits(of: ArchitectureLimits, size: DeviceSize): DeviceLimits {
  const reserved = KB;
  return {
    ...of,
    ...size,
    threadsPerSm: of.warpsPerSm * WARP_SIZE,
    threadsPerBlock: 1024,
    registersPerSm: 65_536,
    registersPerThread: 255,
    sharedMemoryPerBlockOptIn: of.sharedMemoryPerSm - reserved,
    sharedMemoryReservedPerBlock: reserved,
    staticSharedMemory: 48 * KB,
    residentGrids: 128,
    hardwareQueues: 32,
    copyEnginesUp: 1,
    copyEnginesDown: 1,
    copyEnginesPeer: 1,
    maxGrid: [2_147_483_647, 65_535, 65_535],
    maxBlock: [1024, 1024, 64],
    priorityLowest: 0,
    priorityHighest: -5,
  };
}
