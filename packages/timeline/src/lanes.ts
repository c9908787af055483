import type { Operation } from './operation.ts';
import type { Timeline } from './timeline.ts';

/** The part of an operation that is drawn in one lane, ps. */
export interface Slice {
  /** Index of the operation in the timeline. */
  readonly operation: number;
  readonly start: number;
  readonly end: number;
}

/** A row in which no two slices overlap. */
export interface Lane {
  /** Device index, or -1 for a host thread. */
  readonly device: number;
  /** Name of the stream or host thread. */
  readonly stream: string;
  /** 0 for the stream's first lane, 1 for the next ... */
  readonly index: number;
  /** `s0`, then `s0 (2)` ... */
  readonly name: string;
  /** In order of start. */
  readonly slices: readonly Slice[];
}

/**
 * Deals all operations onto lanes: host threads first, then streams by device, each in order of first appearance.
 * Operations of one stream that overlap, as they do under programmatic dependent launch, go to the lowest free lane of
 * that stream. A host lane shows the calls, also those of operations whose device part is in another lane.
 * Operations that never ended run to the end of the timeline; those that never started have no slice.
 */
export function assignLanes(timeline: Timeline): Lane[] {
  const horizon = lastInstant(timeline);
  const host = new Map<string, Slice[]>();
  const devices = new Map<number, Map<string, Slice[]>>();
  timeline.operations.forEach((operation, index) => {
    if (operation.callBegin <= operation.callEnd) {
      push(host, operation.thread, { operation: index, start: operation.callBegin, end: operation.callEnd });
    }
    const slice =
      operation.device < 0 && operation.callBegin <= operation.callEnd
        ? undefined
        : deviceSlice(operation, index, horizon);
    if (slice === undefined) return;
    if (operation.device < 0) {
      push(host, operation.thread, slice);
      return;
    }
    let streams = devices.get(operation.device);
    if (streams === undefined) {
      streams = new Map();
      devices.set(operation.device, streams);
    }
    // A graph spans its kernels, so it would push them all into second lanes.
    push(streams, operation.kind === 'graph' ? `${operation.stream} graph` : operation.stream, slice);
  });
  const lanes: Lane[] = [];
  for (const [thread, slices] of host) lanes.push(...pack(-1, thread, distinctCalls(timeline, slices)));
  for (const device of [...devices.keys()].sort((a, b) => a - b)) {
    for (const [stream, slices] of devices.get(device) ?? []) lanes.push(...pack(device, stream, slices));
  }
  return lanes;
}

/** The last finite instant of a timeline, ps; 0 for an empty one. */
export function lastInstant(timeline: Timeline): number {
  let last = 0;
  for (const { start, end, completion, callEnd } of timeline.operations) {
    if (start > last) last = start;
    if (end > last) last = end;
    if (completion > last) last = completion;
    if (callEnd > last) last = callEnd;
  }
  return last;
}

function deviceSlice(operation: Operation, index: number, horizon: number): Slice | undefined {
  const { start, end, processing, completion } = operation;
  if (start <= end) return { operation: index, start, end };
  if (!Number.isNaN(start)) return { operation: index, start, end: Math.max(start, horizon) };
  return processing <= completion ? { operation: index, start: processing, end: completion } : undefined;
}

/**
 * One call may have made many operations (a graph launch), but is one slice. A host call stands for the operations of its
 * own time. Calls that are operations themselves stay apart even where they begin and end together.
 */
function distinctCalls(timeline: Timeline, slices: Slice[]): Slice[] {
  const calls: Slice[] = [];
  const timeOf = ({ start, end }: Slice) => `${start} ${end}`;
  const covered = new Set<string>();
  for (const slice of slices) {
    if (timeline.operations[slice.operation]?.kind !== 'hostCall') continue;
    calls.push(slice);
    covered.add(timeOf(slice));
  }
  for (const slice of slices) {
    const operation = timeline.operations[slice.operation];
    if (operation?.kind === 'hostCall' || covered.has(timeOf(slice))) continue;
    calls.push(slice);
    // Calls that cost no time are one after another all at the same time; only a graph's operations share theirs.
    const isOne = slice.start < slice.end || operation?.kind === 'graph' || operation?.unit === 'graph';
    if (isOne) covered.add(timeOf(slice));
  }
  return calls.sort((a, b) => a.operation - b.operation);
}

function pack(device: number, stream: string, slices: Slice[]): Lane[] {
  slices.sort((a, b) => a.start - b.start || a.operation - b.operation);
  const rows: Slice[][] = [];
  const freeFrom: number[] = [];
  for (const slice of slices) {
    let row = 0;
    while (row < rows.length && (freeFrom[row] ?? 0) > slice.start) row++;
    if (row === rows.length) rows.push([]);
    rows[row]?.push(slice);
    freeFrom[row] = slice.end;
  }
  return rows.map((row, index) => ({
    device,
    stream,
    index,
    name: index === 0 ? stream : `${stream} (${index + 1})`,
    slices: row,
  }));
}

function push<K>(map: Map<K, Slice[]>, key: K, slice: Slice): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [slice]);
  else list.push(slice);
}
