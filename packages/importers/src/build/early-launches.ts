import { streamOverlaps } from '../overlaps.ts';
import type { Trace, TraceOperation } from '../trace.ts';
import type { EarlyLaunch } from './kernels.ts';

/** Kernels that were launched before the one in front of them in their stream had ended, or are such a one in front. */
export function earlyLaunches(
  trace: Trace,
  isInGraph: (operation: TraceOperation) => boolean,
): Map<TraceOperation, EarlyLaunch> {
  const found = new Map<TraceOperation, EarlyLaunch>();
  for (const { first, second } of streamOverlaps(trace)) {
    if (first.kind !== 'kernel' || second.kind !== 'kernel') continue;
    const inGraph = isInGraph(second);
    if (inGraph !== isInGraph(first)) continue;
    found.set(first, { ...found.get(first), nextStart: second.start - first.start, isInGraph: inGraph });
    found.set(second, { ...found.get(second), previousEnd: first.end - second.start, isInGraph: inGraph });
  }
  return found;
}
