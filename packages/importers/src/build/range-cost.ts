import type { Trace } from '../trace.ts';

/** Ranges of which a tenth means something. */
const ENOUGH = 20;

/**
 * What recording one range costs the host, ps. The shortest operators of a framework (views, for one) do next to nothing
 * of their own, so what the shortest tenth of a trace's ranges lasts is taken as the profiler's work for a range.
 */
export function rangeCost({ ranges }: Trace): number {
  if (ranges.length < ENOUGH) return 0;
  const durations = Float64Array.from(
    { length: ranges.length },
    (_, i) => (ranges.end[i] as number) - (ranges.start[i] as number),
  ).sort();
  return durations[Math.floor(ranges.length / 10)] as number;
}
