import type { LoadedRun, Row } from './model.ts';

/** Where the operations of a run are drawn: row and slice of each, -1 for those that are not. */
export interface Places {
  readonly row: Int32Array;
  readonly slice: Int32Array;
}

/** Streams and threads come before queues and engines in the rows, so the first row that has an operation is its place. */
export function placesOf({ store }: LoadedRun, run: number, rows: readonly Row[]): Places {
  const row = new Int32Array(store.count).fill(-1);
  const slice = new Int32Array(store.count).fill(-1);
  // Device rows first: an operation is where it ran rather than where it was called.
  for (const isHost of [false, true]) {
    rows.forEach(({ lane, run: of }, index) => {
      if (lane === undefined || of !== run || lane.isHost !== isHost || lane.blocks !== undefined) return;
      for (let i = 0; i < lane.operations.length; i++) {
        const operation = lane.operations[i] ?? 0;
        if ((row[operation] ?? 0) >= 0) continue;
        row[operation] = index;
        slice[operation] = i;
      }
    });
  }
  return { row, slice };
}
