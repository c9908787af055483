import { PS_PER_NS } from '../instants.ts';
import type { Slowdown } from '../operation.ts';
import type { Timeline } from '../timeline.ts';

/** What sharing one resource cost. */
export interface SlowdownStatistics {
  readonly resource: Slowdown['resource'];
  /** Operations that shared it. */
  readonly operations: number;
  /** Factor against running alone, total time over the total it would have been alone. */
  readonly mean: number;
  readonly most: number;
  /** Duration less what it would have been alone, summed, ns. */
  readonly lostTime: number;
}

/** Per resource, those that slowed down some operation, in order of name. */
export function slowdownStatistics(timeline: Timeline): SlowdownStatistics[] {
  const sums = new Map<Slowdown['resource'], { operations: number; time: number; alone: number; most: number }>();
  for (const { start, end, slowdown } of timeline.operations) {
    for (const { resource, factor } of slowdown) {
      if (!(factor > 1) || !(start <= end)) continue;
      const sum = sums.get(resource) ?? { operations: 0, time: 0, alone: 0, most: 1 };
      sum.operations++;
      sum.time += end - start;
      sum.alone += (end - start) / factor;
      sum.most = Math.max(sum.most, factor);
      sums.set(resource, sum);
    }
  }
  return [...sums.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([resource, { operations, time, alone, most }]) => ({
      resource,
      operations,
      mean: alone === 0 ? most : time / alone,
      most,
      lostTime: (time - alone) / PS_PER_NS,
    }));
}
