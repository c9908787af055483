/** The part of virtual time that is shown, ps. */
export interface Viewport {
  readonly from: number;
  readonly to: number;
}

/** Nothing is smaller than a picosecond, so this is close enough. */
const LEAST_SPAN = 1000;

/** `factor` above 1 shows more; the instant `at` stays where it is. Never leaves `whole` by more than half a screen. */
export function zoom({ from, to }: Viewport, factor: number, at: number, whole: Viewport): Viewport {
  const most = (whole.to - whole.from) * 1.2;
  const span = Math.min(most, Math.max(LEAST_SPAN, (to - from) * factor));
  const share = (at - from) / (to - from);
  const start = at - span * share;
  return clamp({ from: start, to: start + span }, whole);
}

/** `share` of the span to the right. */
export function pan({ from, to }: Viewport, share: number, whole: Viewport): Viewport {
  const by = (to - from) * share;
  return clamp({ from: from + by, to: to + by }, whole);
}

/** With the instants in its middle, and room on both sides. */
export function fit(from: number, to: number, whole: Viewport, share = 0.6): Viewport {
  const span = Math.max(LEAST_SPAN, (to - from) / share);
  const middle = (from + to) / 2;
  return clamp({ from: middle - span / 2, to: middle + span / 2 }, whole);
}

function clamp({ from, to }: Viewport, whole: Viewport): Viewport {
  const span = to - from;
  const room = span / 2;
  if (from < whole.from - room) return { from: whole.from - room, to: whole.from - room + span };
  if (to > whole.to + room) return { from: whole.to + room - span, to: whole.to + room };
  return { from, to };
}
