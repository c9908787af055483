import type { Timeline } from '../timeline.ts';

export interface Concurrency {
  /** Time-weighted average number of running kernels while any runs; 0 if none ever does. */
  readonly mean: number;
  readonly peak: number;
  /** How long at least one kernel ran, ps. */
  readonly busyTime: number;
}

/** How many of `kernels` (in order of start) ran at once. */
export function concurrency(timeline: Timeline, kernels: readonly number[]): Concurrency {
  const ends = Float64Array.from(kernels, (index) => timeline.operations[index]?.end ?? 0).sort();
  let busyTime = 0;
  let work = 0;
  let peak = 0;
  let ended = 0;
  let started = 0;
  let busyUntil = Number.NEGATIVE_INFINITY;
  for (const index of kernels) {
    const operation = timeline.operations[index];
    if (operation === undefined) continue;
    const { start, end } = operation;
    work += end - start;
    busyTime += Math.max(0, end - Math.max(start, busyUntil));
    busyUntil = Math.max(busyUntil, end);
    started++;
    while ((ends[ended] ?? Number.POSITIVE_INFINITY) <= start) ended++;
    peak = Math.max(peak, started - ended);
  }
  return { mean: busyTime === 0 ? 0 : work / busyTime, peak, busyTime };
}
