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

const AMPERE: ArchitectureLimits = {
  warpsPerSm: 64,
  blocksPerSm: 32,
  sharedMemoryPerSm: 164 * KB,
  carveOuts: kilobytes(0, 8, 16, 32, 64, 100, 132, 164),
  maxClusterSize: 1,
  maxClusterSizeOptIn: 1,
};
const ADA: ArchitectureLimits = {
  warpsPerSm: 48,
  blocksPerSm: 24,
  sharedMemoryPerSm: 100 * KB,
  carveOuts: kilobytes(0, 8, 16, 32, 64, 100),
  maxClusterSize: 1,
  maxClusterSizeOptIn: 1,
};
const HOPPER: ArchitectureLimits = {
  warpsPerSm: 64,
  blocksPerSm: 32,
  sharedMemoryPerSm: 228 * KB,
  carveOuts: kilobytes(0, 8, 16, 32, 64, 100, 132, 164, 196, 228),
  maxClusterSize: 8,
  maxClusterSizeOptIn: 16,
};

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

/** Limits of compute capability 8.0 (A100). */
export const ampereLimits = (size: DeviceSize): DeviceLimits => limits(AMPERE, size);
/** Limits of compute capability 8.9 (RTX 4090). */
export const adaLimits = (size: DeviceSize): DeviceLimits => limits(ADA, size);
/** Limits of compute capability 9.0 (H100, H200) and, alike, 10.0 (B200). */
export const hopperLimits = (size: DeviceSize): DeviceLimits => limits(HOPPER, size);
