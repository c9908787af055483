/** Points of the first look over the interval: the function may have more than one dip. */
const SCAN = 9;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

export interface Minimum {
  readonly at: number;
  readonly value: number;
  /** All points that were looked at, in order. */
  readonly points: readonly (readonly [at: number, value: number])[];
}

/**
 * The least value of a function of one variable between `low` and `high`: a scan, then golden-section search (Kiefer 1953)
 * around the best point of it, until the interval is `precision` wide. `start` is looked at too, and stays the answer where
 * nothing is better.
 */
export function minimum(
  f: (x: number) => number,
  low: number,
  high: number,
  start: number,
  precision: number,
): Minimum {
  const known = new Map<number, number>();
  const at = (x: number): number => {
    const before = known.get(x);
    if (before !== undefined) return before;
    const value = f(x);
    known.set(x, value);
    return value;
  };
  const scan = [...Array.from({ length: SCAN }, (_, i) => low + ((high - low) * i) / (SCAN - 1)), start];
  scan.sort((a, b) => a - b);
  let best = scan.indexOf(start);
  for (const [i, x] of scan.entries()) if (at(x) < at(scan[best] as number)) best = i;
  let a = scan[Math.max(0, best - 1)] as number;
  let b = scan[Math.min(scan.length - 1, best + 1)] as number;
  let [x1, x2] = [b - GOLDEN * (b - a), a + GOLDEN * (b - a)];
  while (b - a > precision) {
    if (at(x1) <= at(x2)) [b, x2, x1] = [x2, x1, x2 - GOLDEN * (x2 - a)];
    else [a, x1, x2] = [x1, x2, x1 + GOLDEN * (b - x1)];
  }
  const points = [...known].sort(([x], [y]) => x - y);
  let answer: readonly [number, number] = [start, at(start)];
  for (const point of points) if (point[1] < answer[1]) answer = point;
  return { at: answer[0], value: answer[1], points };
}

/**
 * How far from a minimum the function stays at or below `level`, to either side, between the points looked at; the outermost
 * point counts where the function never rises above.
 */
export function rangeBelow({ at, points }: Minimum, level: number): readonly [low: number, high: number] {
  const centre = points.findIndex(([x]) => x === at);
  const edge = (step: number): number => {
    let i = centre;
    while (points[i + step] !== undefined && (points[i + step] as readonly [number, number])[1] <= level) i += step;
    const [inside, outside] = [points[i], points[i + step]];
    if (inside === undefined) return at;
    if (outside === undefined) return inside[0];
    return inside[0] + ((outside[0] - inside[0]) * (level - inside[1])) / (outside[1] - inside[1]);
  };
  return [edge(-1), edge(1)];
}
