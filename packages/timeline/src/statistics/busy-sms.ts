import type { Timeline } from '../timeline.ts';

/** A step function: from `time[i]` (ps) to `time[i + 1]` the device had `busy[i]` SMs with at least one block. */
export interface BusySms {
  readonly time: readonly number[];
  readonly busy: readonly number[];
  readonly peak: number;
  /** Time-weighted mean from the first step to the last; 0 without any. */
  readonly mean: number;
}

/**
 * Busy SMs of one device over time. From the blocks where the timeline holds them: SMs with at least one block. Else
 * from the number of SMs that each kernel used, summed and capped by the device's: kernels that share SMs count twice
 * up to that cap.
 */
export function busySms(timeline: Timeline, device: number): BusySms {
  return timeline.blocks === undefined ? fromOperations(timeline, device) : fromBlocks(timeline, device);
}

function fromOperations(timeline: Timeline, device: number): BusySms {
  const cap = timeline.devices[device]?.sms || Number.POSITIVE_INFINITY;
  const running = timeline.operations.filter((op) => op.device === device && op.sms > 0 && op.start < op.end);
  const edges = new Edges(running.length);
  for (const [row, operation] of running.entries()) edges.set(row, operation.start, operation.end);
  let sum = 0;
  return edges.sweep((row, isStart) => {
    const sms = running[row]?.sms ?? 0;
    sum += isStart ? sms : -sms;
    return Math.min(cap, sum);
  });
}

function fromBlocks(timeline: Timeline, device: number): BusySms {
  const { blocks, operations } = timeline;
  if (blocks === undefined) return EMPTY;
  const rows: number[] = [];
  for (let i = 0; i < blocks.operation.length; i++) {
    const isHere = operations[blocks.operation[i] ?? 0]?.device === device;
    if (isHere && (blocks.start[i] ?? 0) < (blocks.end[i] ?? 0)) rows.push(i);
  }
  const edges = new Edges(rows.length);
  for (const [row, i] of rows.entries()) edges.set(row, blocks.start[i] ?? 0, blocks.end[i] ?? 0);
  const resident = new Uint32Array(2 ** 16);
  let busy = 0;
  return edges.sweep((row, isStart) => {
    const sm = blocks.sm[rows[row] ?? 0] ?? 0;
    const before = resident[sm] ?? 0;
    resident[sm] = isStart ? before + 1 : before - 1;
    if (before === 0) busy++;
    else if (!isStart && before === 1) busy--;
    return busy;
  });
}

const EMPTY: BusySms = { time: [], busy: [], peak: 0, mean: 0 };

/** Starts and ends in order of time, all ends of an instant before its starts. */
class Edges {
  readonly #start: Float64Array;
  readonly #end: Float64Array;

  constructor(rows: number) {
    this.#start = new Float64Array(rows);
    this.#end = new Float64Array(rows);
  }

  set(row: number, start: number, end: number): void {
    this.#start[row] = start;
    this.#end[row] = end;
  }

  sweep(step: (row: number, isStart: boolean) => number): BusySms {
    const starts = order(this.#start);
    const ends = order(this.#end);
    const time: number[] = [];
    const busy: number[] = [];
    let peak = 0;
    let area = 0;
    let s = 0;
    let e = 0;
    while (e < ends.length) {
      const nextStart = this.#start[starts[s] ?? -1] ?? Number.POSITIVE_INFINITY;
      const now = Math.min(nextStart, this.#end[ends[e] ?? -1] ?? Number.POSITIVE_INFINITY);
      const before = busy.at(-1) ?? 0;
      let value = before;
      while (e < ends.length && this.#end[ends[e] ?? -1] === now) value = step(ends[e++] ?? 0, false);
      while (s < starts.length && this.#start[starts[s] ?? -1] === now) value = step(starts[s++] ?? 0, true);
      if (value === before) continue;
      area += before * (now - (time.at(-1) ?? now));
      time.push(now);
      busy.push(value);
      peak = Math.max(peak, value);
    }
    const span = (time.at(-1) ?? 0) - (time[0] ?? 0);
    return { time, busy, peak, mean: span === 0 ? 0 : area / span };
  }
}

function order(instants: Float64Array): Uint32Array {
  return Uint32Array.from(instants.keys()).sort((a, b) => (instants[a] ?? 0) - (instants[b] ?? 0));
}
