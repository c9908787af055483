import type { Operation } from './operation.ts';
import type { Timeline } from './timeline.ts';

/**
 * Who looks. `blocks`: time stamps in the kernel, first block start to last block end. `profiler`: CUPTI's kernel
 * interval. `events`: timing events around the operation, processing to completion.
 */
export type Observer = 'blocks' | 'profiler' | 'events';

/** How much longer than its blocks a profiler reports a kernel, ps. */
export interface ProfilerOffsets {
  /** From the interval's begin to the first block's start. */
  readonly lead: number;
  /** From the last block's end to the interval's end. */
  readonly tail: number;
}

/**
 * On an H200, successive kernels of a replayed graph have 0.90 us between the last block of one and the first of the
 * next, where CUPTI reads 0.10-0.26 us: lead and tail together are 0.72 us (the middle of the range). How it divides
 * was not measured; the tail is taken as the 0.38 us after which a waiting dependent sees the end.
 */
export const DEFAULT_PROFILER_OFFSETS: ProfilerOffsets = { lead: 340_000, tail: 380_000 };

export interface ObservedInterval {
  /** ps; NaN where the observer sees nothing. */
  readonly start: number;
  readonly end: number;
}

/** What `observer` would report for one operation. Only kernels differ between `blocks` and `profiler`. */
export function observe(
  operation: Operation,
  observer: Observer,
  offsets: ProfilerOffsets = DEFAULT_PROFILER_OFFSETS,
): ObservedInterval {
  const { start, end, processing, completion } = operation;
  if (observer === 'events') return { start: processing, end: completion };
  if (observer === 'profiler' && operation.kind === 'kernel') {
    return { start: start - offsets.lead, end: end + offsets.tail };
  }
  return { start, end };
}

/** `observe` for every operation, by index. */
export function observeTimeline(
  timeline: Timeline,
  observer: Observer,
  offsets: ProfilerOffsets = DEFAULT_PROFILER_OFFSETS,
): ObservedInterval[] {
  return timeline.operations.map((operation) => observe(operation, observer, offsets));
}
