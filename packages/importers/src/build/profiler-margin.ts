import { DEFAULT_PROFILER_OFFSETS, type ProfilerOffsets } from '@griddep/timeline';
import { byStream } from '../overlaps.ts';
import type { Trace } from '../trace.ts';
import { roleOf } from './call-kinds.ts';
import { indexTrace } from './trace-index.ts';

/** Gaps of which a median means something. */
const ENOUGH = 8;

/**
 * The most by which the profiler lengthens the time from a node of a graph to the next, ps, and what it reads where it
 * does not. Five graphs of 16 to 120 nodes took 0.13 to 0.24 us a node longer under PyTorch 2.11's profiler on an H200
 * (2026-11-30, `unprofiled-costs.test.ts`), which read gaps of 0.26 to 0.45 us; other versions read 0.10 us.
 */
export const LONGER_NODE = 155_000;
const PLAIN_GAP = 100_000;

/**
 * How much longer than its blocks the profiler reports a kernel that no graph launched, ps: what five eager traces and
 * the same work as a graph without a profiler leave, 0.64 to 0.72 us, and 0.48 us where memory bounds the kernels (the same source).
 */
export const EAGER_MARGIN = 660_000;

/**
 * How much longer than its blocks the profiler of these traces reports a kernel. In a replayed graph the next node
 * follows after a time that the machine gives, of which the profiler shows only the rest; where traces hold no graph,
 * the usual margin stands.
 *
 * @param graphGap last block of a node to the first of the next on the machine, ps
 * @param isUnprofiled for a program without the profiler: what it lengthened is taken off too
 */
export function profilerMargin(
  traces: readonly Trace[],
  graphGap: number,
  { isUnprofiled = false }: { readonly isUnprofiled?: boolean } = {},
): ProfilerOffsets {
  const gaps = traces.flatMap(gapsInGraphs).sort((a, b) => a - b);
  const usual = DEFAULT_PROFILER_OFFSETS;
  const both = usual.lead + usual.tail;
  const otherwise = isUnprofiled ? EAGER_MARGIN : both;
  const gap = gaps.length < ENOUGH ? undefined : (gaps[Math.floor(gaps.length / 2)] as number);
  const longer = isUnprofiled && gap !== undefined ? Math.min(LONGER_NODE, Math.max(0, gap - PLAIN_GAP)) : 0;
  const seen = gap === undefined ? otherwise : graphGap - gap + longer;
  // It is part of every interval, so no longer than the shortest.
  const whole = Math.min(seen <= 0 ? otherwise : seen, shortestKernel(traces));
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
