import type { KernelResources } from './kernel-resources.ts';
import { type LaunchError, launchError } from './launch-error.ts';
import type { DeviceLimits } from './machine.ts';
import { SUB_PARTITIONS, WARP_SIZE } from './sm.ts';

/** Allocation units of compute capability 8.0 and above; docs/RULES.md rule 7.2. */
const REGISTER_UNIT = 256;
const SHARED_MEMORY_UNIT = 128;

export type Limiter = 'registers' | 'sharedMemory' | 'warps' | 'blocks' | 'barriers';

export interface Occupancy {
  /** Blocks of this kernel alone that fit on one SM, at least 1. */
  readonly blocksPerSm: number;
  /** The tightest limit; of several equal ones the first in the order of `Limiter`. */
  readonly limiter: Limiter;
  /** Registers a block allocates. */
  readonly registersPerBlock: number;
  /** Registers of an SM that warps of this kernel can have: as many as go whole into the sub-partitions (rule 7.4). */
  readonly registersUsable: number;
  /** Shared memory a block allocates, bytes, with the system's reserve and rounded to the unit. */
  readonly sharedMemoryPerBlock: number;
  readonly warpsPerBlock: number;
  readonly threadsPerBlock: number;
}

/** Shared memory one block allocates, bytes, reserve included. */
export function allocatedSharedMemory(kernel: KernelResources, limits: DeviceLimits): number {
  const used = kernel.sharedMemoryPerBlock + limits.sharedMemoryReservedPerBlock;
  return roundUp(used, SHARED_MEMORY_UNIT);
}

/**
 * Number of blocks of a kernel that one SM holds at a time, for compute capability 8.0 and above (docs/RULES.md rules
 * 7.1 to 7.4 and 7.7). A kernel that cannot be launched gives CUDA's error as a value.
 */
export function blocksPerSm(kernel: KernelResources, limits: DeviceLimits): Occupancy | LaunchError {
  const error = launchError(kernel, limits);
  if (error !== undefined) return error;

  const warps = Math.ceil(kernel.threadsPerBlock / WARP_SIZE);
  const registersPerWarp = roundUp(kernel.registersPerThread * WARP_SIZE, REGISTER_UNIT);
  const sharedMemory = allocatedSharedMemory(kernel, limits);
  // The check of a single block spreads its warps evenly over the sub-partitions, the allocation does not.
  const fits = registersPerWarp * roundUp(warps, SUB_PARTITIONS) <= limits.registersPerSm;
  const warpsOfRegisters =
    registersPerWarp === 0
      ? Number.POSITIVE_INFINITY
      : Math.floor(limits.registersPerSm / SUB_PARTITIONS / registersPerWarp) * SUB_PARTITIONS;
  const byLimit: readonly (readonly [Limiter, number])[] = [
    ['registers', fits ? Math.floor(warpsOfRegisters / warps) : 0],
    ['sharedMemory', Math.floor(limits.sharedMemoryPerSm / sharedMemory)],
    ['warps', Math.floor(limits.warpsPerSm / warps)],
    ['blocks', limits.blocksPerSm],
    ['barriers', Math.floor(barriersPerSm(limits) / (kernel.barriers ?? 1))],
  ];
  const [limiter, blocks] = byLimit.reduce((least, next) => (next[1] < least[1] ? next : least));
  if (blocks < 1) return outOfResources(limiter);
  return {
    blocksPerSm: blocks,
    limiter,
    registersPerBlock: registersPerWarp * warps,
    registersUsable: registersPerWarp === 0 ? limits.registersPerSm : registersPerWarp * warpsOfRegisters,
    sharedMemoryPerBlock: sharedMemory,
    warpsPerBlock: warps,
    threadsPerBlock: kernel.threadsPerBlock,
  };
}

/**
 * Named barriers of an SM: two per block slot where an SM holds 2048 threads, otherwise one (rule 7.11). CUDA's own
 * calculator counts them from compute capability 9.0 on, which is where clusters begin.
 */
function barriersPerSm(limits: DeviceLimits): number {
  if (limits.maxClusterSize === 1) return Number.POSITIVE_INFINITY;
  return limits.blocksPerSm * (limits.warpsPerSm >= 64 ? 2 : 1);
}

function outOfResources(limiter: Limiter): LaunchError {
  return { error: 'cudaErrorLaunchOutOfResources', message: `one block exceeds the ${limiter} of an SM` };
}

function roundUp(value: number, unit: number): number {
  return Math.ceil(value / unit) * unit;
}
