/** Where each operation stands in a list, by its number: an array from the least number to the greatest. */
export class Positions {
  private readonly first: number;
  private readonly places: Int32Array;

  /** @param list numbers of operations, each once */
  constructor(ops: readonly number[]) {
    let first = Number.POSITIVE_INFINITY;
    let last = -1;
    for (const op of ops) {
      if (op < first) first = op;
      if (op > last) last = op;
    }
    this.first = first;
    this.places = new Int32Array(Math.max(0, last - first + 1)).fill(-1);
    for (const [i, op] of ops.entries()) this.places[op - first] = i;
  }

  /** The place of an operation, undefined for one that is not in the list. */
  get(op: number): number | undefined {
    const place = this.places[op - this.first];
    return place === undefined || place < 0 ? undefined : place;
  }
}
