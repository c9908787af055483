import { type Extent, endOf } from '../program/access.ts';

/** Bytes [begin, end) and what is kept for them. */
interface Cell<T> {
  readonly begin: number;
  end: number;
  kept: readonly T[];
}

/** What is kept for the bytes of one memory: disjoint intervals in order, split where something begins or ends. */
export class IntervalIndex<T> {
  private cells: Cell<T>[] = [];

  /** Visits what is kept for all bytes between the ends of an extent, and keeps what `update` returns. */
  update(extent: Extent, update: (kept: readonly T[]) => readonly T[]): void {
    const begin = extent.begin;
    const end = endOf(extent);
    this.split(begin);
    this.split(end);
    let at = this.position(begin);
    let from = begin;
    const gaps: [number, Cell<T>][] = [];
    for (; at < this.cells.length; at++) {
      const cell = this.cells[at] as Cell<T>;
      if (cell.begin >= end) break;
      if (cell.begin > from) gaps.push([at, { begin: from, end: cell.begin, kept: update([]) }]);
      cell.kept = update(cell.kept);
      from = cell.end;
    }
    if (from < end) gaps.push([at, { begin: from, end, kept: update([]) }]);
    for (const [position, cell] of gaps.reverse()) this.cells.splice(position, 0, cell);
  }

  /** The first cell that ends beyond a byte. */
  private position(byte: number): number {
    let low = 0;
    let high = this.cells.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.cells[middle] as Cell<T>).end <= byte) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private split(byte: number): void {
    const at = this.position(byte);
    const cell = this.cells[at];
    if (cell === undefined || cell.begin >= byte) return;
    this.cells.splice(at + 1, 0, { begin: byte, end: cell.end, kept: cell.kept });
    cell.end = byte;
  }
}
