import type { KernelResources } from './kernel-resources.ts';
import type { DeviceLimits } from './machine.ts';
import { blocksPerSm } from './occupancy.ts';

/** Shared memory is allocated in units of this (docs/RULES.md section 7). */
const SHARED_MEMORY_UNIT = 128;

/**
 * Shared memory, bytes, that an SM is configured for when it starts this kernel empty: the smallest step that holds as
 * many of its blocks as the other limits allow (docs/RULES.md rule 7.5; H200 case families `carveout-*`), and never
 * less than the reserves of as many blocks as an SM can hold: kernels with next to no shared memory share an SM
 * whatever the sizes of their blocks (random programs `fuzz-*`). Throws RangeError if the kernel cannot be launched,
 * which `blocksPerSm` tells.
 */
export function preferredCarveOut(kernel: KernelResources, limits: DeviceLimits): number {
  const occupancy = blocksPerSm(kernel, limits);
  if ('error' in occupancy) throw new RangeError(`${occupancy.error}: ${occupancy.message}`);
  const reserves = limits.blocksPerSm * (limits.sharedMemoryReservedPerBlock + SHARED_MEMORY_UNIT);
  const wanted = Math.max(reserves, occupancy.blocksPerSm * occupancy.sharedMemoryPerBlock);
  return limits.carveOuts.find((step) => step >= wanted) ?? limits.sharedMemoryPerSm;
}
