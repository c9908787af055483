import type { CopyWork, MemsetWork } from '@griddep/cuda';
import { type DeviceLimits, preferredCarveOut, WARP_SIZE } from '@griddep/machine';
import type { DeviceTimes, KernelBody, Step } from './body.ts';

/** Registers of a thread that copies: assumed, not visible in the measurements. */
const REGISTERS = 32;

/**
 * A copy within the device, or a memset: it runs as a kernel on the SMs, needs room there, and shares memory with other
 * blocks (case families `copy-d2d-*`, `memset-*`, `load-with-copies`).
 */
export function trafficBody(
  work: CopyWork | MemsetWork,
  inGraph: boolean,
  limits: DeviceLimits,
  times: DeviceTimes,
): KernelBody {
  const copy = work.type === 'copy';
  // A copy reads and writes every byte.
  const bytes = copy ? 2 * work.bytes : work.bytes;
  const inL2 = copy && bytes <= times.l2Usable;
  const rate = copy ? 2 * (inL2 ? times.copyWithinL2Bandwidth : times.copyWithinBandwidth) : times.memsetBandwidth;
  const latency = inGraph ? times.trafficLatencyGraph : copy ? times.copyWithinLatency : times.memsetLatency;
  const blocks = Math.max(1, Math.min(times.copyWithinBlocks, Math.ceil(bytes / times.copyWithinBlockBytes)));
  const threads = Math.min(times.copyWithinThreads, limits.threadsPerBlock);
  const warps = Math.ceil(threads / WARP_SIZE);
  const steps: Step[] = [
    { kind: 'delay', duration: latency },
    {
      kind: 'memory',
      access: inL2 ? 'l2' : 'copy',
      bytes: Math.ceil(bytes / blocks),
      rate: rate / times.copyWithinBlocks,
    },
  ];
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
    endsTogether: false,
    tracks: [{ warps, steps }],
    period: 1,
  };
}
