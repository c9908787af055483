import type { Trace } from '../trace.ts';

/** Nested ranges of which a tenth means something. */
const ENOUGH = 20;

/**
 * What recording one range costs the host, ps, beyond the range itself. An operator that only calls another one does
 * next to nothing before it and after it, so what the quickest tenth of ranges take from their begin to that of their
 * first inner range, and from the end of their last inner range to their own, is taken as the profiler's work for one
 * range. Without nested ranges it is not known, and taken as none.
 */
export function rangeCost({ ranges, threads }: Trace): number {
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
  return before.length < ENOUGH || after.length < ENOUGH ? 0 : tenth(before) + tenth(after);
}

function tenth(times: number[]): number {
  times.sort((a, b) => a - b);
  return Math.max(0, times[Math.floor(times.length / 10)] as number);
}
