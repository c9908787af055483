import type { KernelResources } from './kernel-resources.ts';
import type { DeviceLimits } from './machine.ts';
import { blocksPerSm } from './occupancy.ts';

/**
 * Shared memory, bytes, that an SM is configured for when it starts this kernel empty: the smallest step that holds as
 * many of its blocks as the other limits allow (docs/RULES.md rule 7.5; H200 case families `carveout-*`). A block's own
 * reserve counts, so a kernel without shared memory wants a step as well. Throws RangeError if the kernel cannot be
 * launched, which `blocksPerSm` tells.
 */
export function preferredCarveOut(kernel: KernelResources, limits: DeviceLimits): number {
  const occupancy = blocksPerSm(kernel, limits);
  if ('error' in occupancy) throw new RangeError(`${occupancy.error}: ${occupancy.message}`);
  const wanted = occupancy.blocksPerSm * occupancy.sharedMemoryPerBlock;
  return limits.carveOuts.find((step) => step >= wanted) ?? limits.sharedMemoryPerSm;
}
