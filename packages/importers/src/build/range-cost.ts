import type { Trace } from '../trace.ts';
import { ENOUGH_LAUNCHES, launchTimes } from './call-cost.ts';

/** Nested ranges of which a median means something. */
const ENOUGH = 20;

/**
 * What recording a range costs over what shows between nested ones: a framework that is recorded also takes slower paths.
 * Three models with and without PyTorch 2.11's profiler give 1.50 to 1.54 (an H200's host, 2026-11-30,
 * `unprofiled-costs.test.ts`).
 */
export const BEYOND_NESTING = 1.51;

/** The same as a share of what a launch call takes under the profiler: 0.26 to 0.33 in these models. */
export const SHARE_OF_LAUNCH = 0.3;

/**
 * What recording one range costs the host, ps, beyond the range itself: so much more than what shows of it between nested
 * ranges. Where ranges do not nest, the launches tell how quick the host is; where there are few of these too, it is
 * taken as none.
 */
export function rangeCost(trace: Trace): number {
  const shown = shownByNesting(trace);
  if (shown !== undefined) return BEYOND_NESTING * shown;
  const launches = launchTimes(trace);
  return launches.length < ENOUGH_LAUNCHES ? 0 : SHARE_OF_LAUNCH * median(launches);
}

/**
 * What ranges usually take from their begin to that of their first inner range, and from the end of their last inner one
 * to their own, ps: mostly the recording, since an operator that calls another one does little itself.
 */
export function shownByNesting({ ranges, threads }: Trace): number | undefined {
  const before: number[] = [];
  const after: number[] = [];
  threads.forEach((_, thread) => {
    const open: { readonly start: number; readonly end: number; last: number | undefined }[] = [];
    const closeUntil = (time: number) => {
      for (let top = open.at(-1); top !== undefined && top.end <= time; top = open.at(-1)) {
        open.pop();
        if (top.last !== undefined) after.push(top.end - top.last);
        const outer = open.at(-1);
        if (outer !== undefined) outer.last = top.end;
      }
    };
    for (let i = 0; i < ranges.length; i++) {
      if (ranges.thread[i] !== thread) continue;
      const [start, end] = [ranges.start[i] as number, ranges.end[i] as number];
      closeUntil(start);
      const outer = open.at(-1);
      if (outer !== undefined && outer.last === undefined) before.push(start - outer.start);
      open.push({ start, end, last: undefined });
    }
    closeUntil(Number.POSITIVE_INFINITY);
  });
  return before.length < ENOUGH || after.length < ENOUGH ? undefined : median(before) + median(after);
}

function median(times: number[]): number {
  times.sort((a, b) => a - b);
  return Math.max(0, times[Math.floor(times.length / 2)] as number);
}
