import type { CollectiveWork } from '@griddep/cuda';
import { type DeviceLimits, preferredCarveOut, WARP_SIZE } from '@griddep/machine';
import type { DeviceTimes, KernelBody } from './body.ts';

/** Registers of a thread of a collective's kernel: assumed, not visible in the measurements. */
const REGISTERS = 96;

/** A collective of the library runs as a kernel that holds its place on some SMs from its start until all have ended. */
export function collectiveBody(
  { rendezvous: { bytes } }: CollectiveWork,
  limits: DeviceLimits,
  times: DeviceTimes,
): KernelBody {
  // All of them meet, so all have to be resident: no more than there are SMs.
  const most = Math.min(times.collectiveBlocks, limits.sms);
  const blocks = Math.max(1, Math.min(most, Math.ceil(bytes / times.collectiveBlockBytes)));
  const threads = Math.min(times.collectiveThreads, limits.threadsPerBlock);
  const warps = Math.ceil(threads / WARP_SIZE);
  return {
    blocks,
    threads,
    warps,
    registers: Math.min(REGISTERS * threads, limits.registersPerSm),
    registersUsable: limits.registersPerSm,
    sharedMemory: limits.sharedMemoryReservedPerBlock,
    cluster: 1,
    carveOut: preferredCarveOut(
      { threadsPerBlock: threads, registersPerThread: REGISTERS, sharedMemoryPerBlock: 0 },
      limits,
    ),
    instrumented: false,
    endsTogether: true,
    tracks: [{ warps, steps: [{ kind: 'rendezvous' }] }],
    period: 1,
  };
}
