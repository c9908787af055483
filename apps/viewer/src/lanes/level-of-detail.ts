import { firstAbove, type Lane } from './lane.ts';

/** Slices `from` to `to` of a lane as one thing to draw. */
export interface Mark {
  readonly from: number;
  readonly to: number;
  /** px from the left edge of the range shown */
  readonly left: number;
  readonly right: number;
  /** Share of the width that the slices cover, 0 to 1. */
  readonly covered: number;
  /** Whether a kernel of one block is among them. */
  readonly hasSingle: boolean;
}

/** Slices wider than this are drawn by themselves, px. */
const OWN_MARK = 1;
/** Nothing is drawn narrower, px. */
const LEAST_WIDTH = 1;

/** As the fields of `Mark`; not an object each, as there are some ten thousand of them in a frame. */
export type MarkVisitor = (
  from: number,
  to: number,
  left: number,
  right: number,
  covered: number,
  hasSingle: boolean,
) => void;

/**
 * What to draw of a lane between two instants on `width` pixels, left to right. Slices narrower than a pixel become one
 * mark with the others that begin in the same pixel, so a lane has about as many marks as pixels, however many slices
 * it has; but every slice is in a mark, and every mark is at least a pixel wide.
 */
export function visitMarks(lane: Lane, from: number, to: number, width: number, visit: MarkVisitor): void {
  const { starts, ends, covered, single } = lane;
  const perPs = width / (to - from);
  const count = starts.length;
  let i = firstAbove(ends, from, true);
  while (i < count) {
    const start = starts[i] ?? 0;
    if (start > to) return;
    const left = (start - from) * perPs;
    let right = ((ends[i] ?? 0) - from) * perPs;
    let next = i + 1;
    if (right - left < OWN_MARK) {
      next = gallop(starts, from + (Math.floor(left) + 1) / perPs, next);
      // Only the last one that begins in this pixel can reach beyond it.
      const last = next - 1;
      if (last > i && ((ends[last] ?? 0) - (starts[last] ?? 0)) * perPs >= OWN_MARK) next = last;
      right = ((ends[next - 1] ?? 0) - from) * perPs;
    }
    const wide = Math.max(LEAST_WIDTH, right - left);
    const share = Math.min(1, (((covered[next] ?? 0) - (covered[i] ?? 0)) * perPs) / wide);
    visit(i, next, left, left + wide, share, (single[next] ?? 0) > (single[i] ?? 0));
    i = next;
  }
}

/** The first position from `from` on whose value is at least `value`; quick where that is near. */
function gallop(values: Float64Array, value: number, from: number): number {
  let step = 1;
  let low = from;
  while (low + step < values.length && (values[low + step] ?? 0) < value) {
    low += step;
    step *= 2;
  }
  let high = Math.min(values.length, low + step + 1);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) >= value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The slice at an instant, or the nearest to it within `reach` ps; undefined where there is none. */
export function sliceAt(lane: Lane, time: number, reach: number): number | undefined {
  const after = firstAbove(lane.ends, time, true);
  const distance = (i: number) => Math.max(0, (lane.starts[i] ?? Infinity) - time, time - (lane.ends[i] ?? -Infinity));
  const candidates = [after - 1, after].filter((i) => i >= 0 && i < lane.starts.length && distance(i) <= reach);
  return candidates.sort((a, b) => distance(a) - distance(b))[0];
}
