import { DEFAULT_PROFILER_OFFSETS, type ProfilerOffsets } from '@griddep/timeline';
import { byStream } from '../overlaps.ts';
import type { Trace } from '../trace.ts';
import { roleOf } from './call-kinds.ts';
import { indexTrace } from './trace-index.ts';

/** Gaps of which a median means something. */
const ENOUGH = 8;

/**
 * How much longer than its blocks the profiler of these traces reports a kernel. In a replayed graph the next node
 * follows after a time that the machine gives, of which the profiler shows only the rest; where traces hold no graph,
 * the usual margin stands.
 *
 * @param graphGap last block of a node to the first of the next on the machine, ps
 */
export function profilerMargin(traces: readonly Trace[], graphGap: number): ProfilerOffsets {
  const gaps = traces.flatMap(gapsInGraphs).sort((a, b) => a - b);
  const usual = DEFAULT_PROFILER_OFFSETS;
  const both = usual.lead + usual.tail;
  const seen = gaps.length < ENOUGH ? both : graphGap - (gaps[Math.floor(gaps.length / 2)] as number);
  // It is part of every interval, so no longer than the shortest.
  const whole = Math.min(seen <= 0 ? both : seen, shortestKernel(traces));
  const lead = Math.round((whole * usual.lead) / both);
  return { lead, tail: Math.round(whole) - lead };
}

function shortestKernel(traces: readonly Trace[]): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (const { operations } of traces) {
    for (const { kind, start, end } of operations) if (kind === 'kernel') shortest = Math.min(shortest, end - start);
  }
  return shortest;
}

/** Gaps between successive kernels of graph launches, without early launches, ps. */
function gapsInGraphs(trace: Trace): number[] {
  const { byCall } = indexTrace(trace);
  const gaps: number[] = [];
  for (const [call, made] of byCall) {
    if (roleOf(call.name) !== 'graphLaunch') continue;
    for (const nodes of byStream(made).values()) {
      for (let i = 1; i < nodes.length; i++) {
        const [before, after] = [nodes[i - 1], nodes[i]];
        if (before?.kind !== 'kernel' || after?.kind !== 'kernel') continue;
        const gap = after.start - before.end;
        if (gap >= 0) gaps.push(gap);
      }
    }
  }
  return gaps;
}
