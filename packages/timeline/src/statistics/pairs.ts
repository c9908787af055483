import { PS_PER_NS } from '../instants.ts';
import type { Timeline } from '../timeline.ts';

/** Two kernels of one device, by index in the timeline; times in ns. */
export interface KernelPair {
  readonly first: number;
  readonly second: number;
  /** Start of the second less end of the first; negative where they overlap. */
  readonly gap: number;
  /** How long both ran, at least 0. */
  readonly overlap: number;
}

export interface PairStatistics {
  /** How many pairs there are in all. */
  readonly count: number;
  /** Their overlap, summed, ns. */
  readonly overlap: number;
  /** The first of them in order of start. */
  readonly pairs: readonly KernelPair[];
}

export interface ConsecutivePairStatistics extends PairStatistics {
  /** Smallest, median, mean and largest gap, ns; NaN if there is no pair. */
  readonly gap: { readonly least: number; readonly median: number; readonly mean: number; readonly most: number };
}

/** Kernels that have start and end, in order of start. */
export function runningKernels(timeline: Timeline): number[] {
  const { operations } = timeline;
  const kernels: number[] = [];
  operations.forEach(({ kind, start, end }, index) => {
    if (kind === 'kernel' && start <= end) kernels.push(index);
  });
  return kernels.sort((a, b) => (operations[a]?.start ?? 0) - (operations[b]?.start ?? 0) || a - b);
}

/** Each kernel with the next to start in its stream; returns at most `most` of them. */
export function consecutivePairs(
  timeline: Timeline,
  kernels: readonly number[],
  most: number,
): ConsecutivePairStatistics {
  const previousOf = new Map<string, number>();
  const gaps: number[] = [];
  const pairs: KernelPair[] = [];
  let overlap = 0;
  for (const second of kernels) {
    const operation = timeline.operations[second];
    if (operation === undefined) continue;
    const key = `${operation.device} ${operation.stream}`;
    const first = previousOf.get(key);
    previousOf.set(key, second);
    if (first === undefined) continue;
    const pair = pairOf(timeline, first, second);
    gaps.push(pair.gap);
    overlap += pair.overlap;
    if (pairs.length < most) pairs.push(pair);
  }
  gaps.sort((a, b) => a - b);
  const middle = gaps.length >> 1;
  const gap = {
    least: gaps[0] ?? Number.NaN,
    median: gaps.length % 2 === 1 ? (gaps[middle] ?? 0) : ((gaps[middle - 1] ?? Number.NaN) + (gaps[middle] ?? 0)) / 2,
    mean: gaps.reduce((sum, value) => sum + value, 0) / gaps.length,
    most: gaps.at(-1) ?? Number.NaN,
  };
  return { count: gaps.length, overlap, gap, pairs };
}

/**
 * Any two kernels of one device that ran at the same time. A sweep over starts and ends counts and sums them all in
 * O(n log n); at most `most` are returned.
 */
export function overlappingPairs(timeline: Timeline, kernels: readonly number[], most: number): PairStatistics {
  const pairs: KernelPair[] = [];
  let count = 0;
  let overlap = 0;
  for (const ofDevice of byDevice(timeline, kernels)) {
    const start = (index: number) => timeline.operations[index]?.start ?? 0;
    const end = (index: number) => timeline.operations[index]?.end ?? 0;
    const lasting = ofDevice.filter((index) => start(index) < end(index));
    const ends = [...lasting].sort((a, b) => end(a) - end(b));
    const running = new Set<number>();
    let ended = 0;
    let startedSum = 0;
    let last = 0;
    const advance = (now: number) => {
      overlap += (((running.size * (running.size - 1)) / 2) * (now - last)) / PS_PER_NS;
      last = now;
    };
    for (const second of lasting) {
      for (let first = ends[ended]; first !== undefined && end(first) <= start(second); first = ends[++ended]) {
        advance(end(first));
        running.delete(first);
      }
      advance(start(second));
      startedSum += running.size;
      if (pairs.length < most) {
        for (const first of running) {
          if (pairs.length < most) pairs.push(pairOf(timeline, first, second));
        }
      }
      running.add(second);
    }
    for (const first of ends.slice(ended)) {
      advance(end(first));
      running.delete(first);
    }
    count += startedSum;
  }
  return { count, overlap, pairs };
}

/** Splits kernels by device and keeps their order. */
export function byDevice(timeline: Timeline, kernels: readonly number[]): number[][] {
  const devices = new Map<number, number[]>();
  for (const index of kernels) {
    const device = timeline.operations[index]?.device ?? 0;
    const list = devices.get(device);
    if (list === undefined) devices.set(device, [index]);
    else list.push(index);
  }
  return [...devices.entries()].sort((a, b) => a[0] - b[0]).map((entry) => entry[1]);
}

function pairOf(timeline: Timeline, first: number, second: number): KernelPair {
  const a = timeline.operations[first];
  const b = timeline.operations[second];
  if (a === undefined || b === undefined) return { first, second, gap: Number.NaN, overlap: Number.NaN };
  return {
    first,
    second,
    gap: (b.start - a.end) / PS_PER_NS,
    overlap: Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start)) / PS_PER_NS,
  };
}
