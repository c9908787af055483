import { KINDS } from '../data/columns.ts';
import type { Store } from '../data/store.ts';

/** A row in which no two slices overlap, in order of time. */
export interface Lane {
  readonly name: string;
  /** 0 for the first lane of its name, 1 for the next ... */
  readonly index: number;
  /** Whether it shows calls rather than the device's work. */
  readonly isHost: boolean;
  /** ps */
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  readonly operations: Uint32Array;
  /** `covered[i]` is the time that the slices before `i` take; one longer than the slices. */
  readonly covered: Float64Array;
  /** `single[i]` is how many kernels of one block there are before `i`. */
  readonly single: Uint32Array;
  /** For lanes of an SM: the block of each slice. */
  readonly blocks?: Uint32Array;
}

/** Slices of one name before they are dealt onto lanes: rows of a growing table. */
export class Slices {
  starts: number[] = [];
  ends: number[] = [];
  operations: number[] = [];
  blocks: number[] = [];

  add(operation: number, start: number, end: number, block = -1): void {
    this.starts.push(start);
    this.ends.push(end);
    this.operations.push(operation);
    if (block >= 0) this.blocks.push(block);
  }
}

const KERNEL = KINDS.indexOf('kernel');

/**
 * Deals slices onto lanes, each to the lowest that is free, as overlapping kernels under programmatic dependent launch
 * need more than one.
 */
export function packLanes(store: Store, name: string, slices: Slices, isHost: boolean): Lane[] {
  const { starts, ends, operations, blocks } = slices;
  const count = starts.length;
  const order = inOrder(slices);
  const rowOf = new Uint32Array(count);
  const freeFrom: number[] = [];
  const sizes: number[] = [];
  for (let k = 0; k < count; k++) {
    const i = order[k] ?? 0;
    const start = starts[i] ?? 0;
    let row = 0;
    while (row < freeFrom.length && (freeFrom[row] ?? 0) > start) row++;
    rowOf[i] = row;
    freeFrom[row] = ends[i] ?? 0;
    sizes[row] = (sizes[row] ?? 0) + 1;
  }
  const lanes = sizes.map((size, index) => ({
    name: index === 0 ? name : `${name} (${index + 1})`,
    index,
    isHost,
    starts: new Float64Array(size),
    ends: new Float64Array(size),
    operations: new Uint32Array(size),
    covered: new Float64Array(size + 1),
    single: new Uint32Array(size + 1),
    ...(blocks.length === 0 ? {} : { blocks: new Uint32Array(size) }),
  }));
  const filled = new Uint32Array(lanes.length);
  for (let k = 0; k < count; k++) {
    const i = order[k] ?? 0;
    const lane = lanes[rowOf[i] ?? 0];
    const at = filled[rowOf[i] ?? 0] ?? 0;
    if (lane === undefined) continue;
    filled[rowOf[i] ?? 0] = at + 1;
    const start = starts[i] ?? 0;
    const end = ends[i] ?? 0;
    const operation = operations[i] ?? 0;
    lane.starts[at] = start;
    lane.ends[at] = end;
    lane.operations[at] = operation;
    lane.covered[at + 1] = (lane.covered[at] ?? 0) + end - start;
    const isSingle = !isHost && store.fact(operation, 'kind') === KERNEL && store.fact(operation, 'blocks') === 1;
    lane.single[at + 1] = (lane.single[at] ?? 0) + (isSingle ? 1 : 0);
    if (lane.blocks !== undefined) lane.blocks[at] = blocks[i] ?? 0;
  }
  return lanes;
}

/** Positions in order of start; most tables are in order already, which is quick to see. */
function inOrder({ starts, operations }: Slices): Uint32Array {
  const order = new Uint32Array(starts.length);
  let isSorted = true;
  for (let i = 0; i < order.length; i++) {
    order[i] = i;
    isSorted &&= i === 0 || (starts[i - 1] ?? 0) <= (starts[i] ?? 0);
  }
  if (isSorted) return order;
  return order.sort(
    (a, b) => (starts[a] ?? 0) - (starts[b] ?? 0) || (operations[a] ?? 0) - (operations[b] ?? 0) || a - b,
  );
}

/** The first position whose value is more than `value` (or at least it, with `orEqual`); `values` ascends. */
export function firstAbove(values: Float64Array, value: number, orEqual = false, from = 0): number {
  let low = from;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const here = values[middle] ?? 0;
    if (here > value || (orEqual && here === value)) high = middle;
    else low = middle + 1;
  }
  return low;
}
