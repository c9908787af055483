import type { DeviceLimits } from './machine.ts';
import { WARP_SIZE } from './sm.ts';
import type { DeviceTiming } from './timing.ts';

/** Limits or constants that contradict each other: their names, and why. */
export interface LimitsProblem {
  readonly names: readonly string[];
  readonly message: string;
}

/** What no device can be, though each limit by itself could; undefined when they agree. */
export function limitsProblem(limits: DeviceLimits, timing: DeviceTiming): LimitsProblem | undefined {
  const all = { ...limits, copyWithinThreads: timing.copyWithinThreads.value };
  const atMost = (name: Numeric, bound: Numeric): LimitsProblem | undefined =>
    all[name] <= all[bound]
      ? undefined
      : { names: [name, bound], message: `${name} ${all[name]} is more than ${bound} ${all[bound]}` };
  const ascending = limits.carveOuts.every((step, i) => i === 0 || step > (limits.carveOuts[i - 1] as number));
  return (
    atMost('threadsPerBlock', 'threadsPerSm') ??
    atMost('copyWithinThreads', 'threadsPerBlock') ??
    atMost('sharedMemoryReservedPerBlock', 'sharedMemoryPerSm') ??
    atMost('sharedMemoryPerBlockOptIn', 'sharedMemoryPerSm') ??
    atMost('staticSharedMemory', 'sharedMemoryPerBlockOptIn') ??
    atMost('maxClusterSize', 'maxClusterSizeOptIn') ??
    atMost('priorityHighest', 'priorityLowest') ??
    (limits.threadsPerSm > limits.warpsPerSm * WARP_SIZE
      ? {
          names: ['warpsPerSm', 'threadsPerSm'],
          message: `threadsPerSm ${limits.threadsPerSm} is more than warpsPerSm ${limits.warpsPerSm} hold`,
        }
      : undefined) ??
    (ascending ? undefined : { names: ['carveOuts'], message: 'carveOuts must ascend' })
  );
}

type Numeric =
  | { [K in keyof DeviceLimits]: DeviceLimits[K] extends number ? K : never }[keyof DeviceLimits]
  | 'copyWithinThreads';
