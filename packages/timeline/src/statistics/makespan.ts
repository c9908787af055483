import type { Timeline } from '../timeline.ts';

export interface Span {
  /** First start and last end of the operations on devices, ps; NaN if none ran. */
  readonly start: number;
  readonly end: number;
  /** Their difference, ps; 0 if none ran. */
  readonly makespan: number;
}

/** From the first start to the last end of all operations on devices, or on `device` alone. */
export function makespan(timeline: Timeline, device?: number): Span {
  let start = Number.POSITIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  for (const operation of timeline.operations) {
    if (operation.device < 0 || (device !== undefined && operation.device !== device)) continue;
    if (!(operation.start <= operation.end)) continue;
    start = Math.min(start, operation.start);
    end = Math.max(end, operation.end);
  }
  return start <= end ? { start, end, makespan: end - start } : { start: Number.NaN, end: Number.NaN, makespan: 0 };
}
