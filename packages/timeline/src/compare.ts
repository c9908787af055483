import { PS_PER_NS } from './instants.ts';
import type { Operation } from './operation.ts';
import { makespan } from './statistics/makespan.ts';
import type { Timeline } from './timeline.ts';

export interface CompareOptions {
  /**
   * What the starts and ends are measured from: `firstStart`, the first start on any device, so that a delay of the
   * whole run does not move every operation; or `origin`, time 0. Default `firstStart`.
   */
  readonly align?: 'firstStart' | 'origin';
}

/** How one operation moved, after less before, ns; NaN where it has no such instant in one of the two. */
export interface OperationChange {
  /** Indices in the two timelines. */
  readonly before: number;
  readonly after: number;
  readonly id: string;
  readonly name: string;
  readonly matchedBy: 'id' | 'name';
  readonly start: number;
  readonly end: number;
  readonly duration: number;
  /**
   * Of the time before it: from the end of the operation that started before it in its stream (of the call before it in
   * its thread; from the beginning of the run, for the first) to its start.
   */
  readonly gap: number;
  /** `gap` and `duration` together: what it moves itself, and everything after it in the stream is shifted by. */
  readonly own: number;
  /**
   * The largest of the three in magnitude over the makespan before. Infinity where it ran in only one timeline, or
   * where the makespan before is 0.
   */
  readonly relative: number;
}

export interface TimelineComparison {
  /** ns; `relative` is the change over the makespan before. */
  readonly makespan: {
    readonly before: number;
    readonly after: number;
    readonly change: number;
    readonly relative: number;
  };
  /** Every matched operation, in the order of the first timeline. */
  readonly operations: readonly OperationChange[];
  /** Indices of the operations that only the first timeline has, and only the second. */
  readonly onlyBefore: readonly number[];
  readonly onlyAfter: readonly number[];
  /** The largest `relative` of all operations, 0 without any. */
  readonly largest: number;
}

/**
 * Compares two timelines operation by operation. Operations match by id; those left over by kind, name and occurrence
 * (the second left-over `gemm` of one with the second of the other).
 */
export function compareTimelines(before: Timeline, after: Timeline, options: CompareOptions = {}): TimelineComparison {
  const spans = [makespan(before), makespan(after)] as const;
  const isAligned = options.align !== 'origin';
  const origins = spans.map(({ start }) => (isAligned && !Number.isNaN(start) ? start : 0));
  const shift = (origins[1] ?? 0) - (origins[0] ?? 0);
  const reference = spans[0].makespan;
  const { matches, onlyBefore, onlyAfter } = matchOperations(before.operations, after.operations);
  const gaps = [gapsOf(before), gapsOf(after)] as const;
  const operations = matches.map((match) => changeOf(before, after, match, gaps, shift, reference));
  const change = spans[1].makespan - reference;
  return {
    makespan: {
      before: reference / PS_PER_NS,
      after: spans[1].makespan / PS_PER_NS,
      change: change / PS_PER_NS,
      relative: relativeTo(reference, change),
    },
    operations,
    onlyBefore,
    onlyAfter,
    largest: operations.reduce((largest, { relative }) => Math.max(largest, relative), 0),
  };
}

/**
 * Whether the timelines differ by more than `fraction` of the makespan before (0.02 for 2 %): the makespan in either
 * direction, any operation, or an operation that only one of them has.
 */
export function exceeds(comparison: TimelineComparison, fraction: number): boolean {
  return (
    Math.abs(comparison.makespan.relative) > fraction ||
    comparison.largest > fraction ||
    comparison.onlyBefore.length > 0 ||
    comparison.onlyAfter.length > 0
  );
}

interface Match {
  readonly before: number;
  readonly after: number;
  readonly matchedBy: 'id' | 'name';
}

function matchOperations(before: readonly Operation[], after: readonly Operation[]) {
  const byId = new Map(after.map(({ id }, index) => [id, index]));
  const matches: Match[] = [];
  const left: number[] = [];
  before.forEach(({ id }, index) => {
    const other = byId.get(id);
    if (other === undefined) left.push(index);
    else matches.push({ before: index, after: other, matchedBy: 'id' });
  });
  const taken = new Set(matches.map((match) => match.after));
  const byName = new Map<string, number[]>();
  after.forEach((operation, index) => {
    if (taken.has(index)) return;
    const key = `${operation.kind} ${operation.name}`;
    const queue = byName.get(key);
    if (queue === undefined) byName.set(key, [index]);
    else queue.push(index);
  });
  for (const queue of byName.values()) queue.reverse();
  const onlyBefore: number[] = [];
  for (const index of left) {
    const other = byName.get(`${before[index]?.kind} ${before[index]?.name}`)?.pop();
    if (other === undefined) onlyBefore.push(index);
    else matches.push({ before: index, after: other, matchedBy: 'name' });
  }
  matches.sort((a, b) => a.before - b.before);
  const onlyAfter = [...byName.values()].flat().sort((a, b) => a - b);
  return { matches, onlyBefore, onlyAfter };
}

/** Start of each operation less the end of the one that started before it in its stream, ps; NaN for the first. */
function gapsOf({ operations }: Timeline): Float64Array {
  const gaps = new Float64Array(operations.length).fill(Number.NaN);
  const ends = new Map<string, number>();
  const spans = operations.map(interval);
  const order = spans.map((_, index) => index).filter((index) => !Number.isNaN(spans[index]?.start));
  order.sort((a, b) => (spans[a]?.start ?? 0) - (spans[b]?.start ?? 0) || a - b);
  for (const index of order) {
    const { start, end } = interval(operations[index]);
    const { device = 0, stream = '', thread = '' } = operations[index] ?? {};
    const key = device < 0 ? `host ${thread}` : `${device} ${stream}`;
    gaps[index] = start - (ends.get(key) ?? Number.NaN);
    if (!Number.isNaN(end)) ends.set(key, end);
  }
  return gaps;
}

function changeOf(
  before: Timeline,
  after: Timeline,
  match: Match,
  [gapsBefore, gapsAfter]: readonly [Float64Array, Float64Array],
  shift: number,
  reference: number,
): OperationChange {
  const a = interval(before.operations[match.before]);
  const b = interval(after.operations[match.after]);
  const start = b.start - shift - a.start;
  const end = b.end - shift - a.end;
  const duration = b.end - b.start - (a.end - a.start);
  const between = (gapsAfter[match.after] ?? Number.NaN) - (gapsBefore[match.before] ?? Number.NaN);
  const gap = Number.isNaN(between) ? start : between;
  const ranInOne = Number.isNaN(a.end) !== Number.isNaN(b.end) || Number.isNaN(a.start) !== Number.isNaN(b.start);
  const largest = Math.max(magnitude(start), magnitude(end), magnitude(duration));
  return {
    before: match.before,
    after: match.after,
    matchedBy: match.matchedBy,
    id: before.operations[match.before]?.id ?? '',
    name: before.operations[match.before]?.name ?? '',
    start: start / PS_PER_NS,
    end: end / PS_PER_NS,
    duration: duration / PS_PER_NS,
    gap: gap / PS_PER_NS,
    own: (gap + duration) / PS_PER_NS,
    relative: ranInOne ? Number.POSITIVE_INFINITY : relativeTo(reference, largest),
  };
}

/** 0 where neither has the instant: nothing moved. */
function magnitude(change: number): number {
  return Number.isNaN(change) ? 0 : Math.abs(change);
}

/** Host calls have no start and end on a device; their call is what moves. */
function interval(operation: Operation | undefined): { start: number; end: number } {
  if (operation === undefined) return { start: Number.NaN, end: Number.NaN };
  return operation.device < 0
    ? { start: operation.callBegin, end: operation.callEnd }
    : { start: operation.start, end: operation.end };
}

function relativeTo(reference: number, change: number): number {
  if (change === 0) return 0;
  return reference === 0 ? Math.sign(change) * Number.POSITIVE_INFINITY : change / reference;
}
