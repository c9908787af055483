import type { Column } from './frame.ts';

const FIRST = 1024;

/** A typed array that grows at its end. */
export class GrowingColumn<T extends Column> {
  #all: T;
  length = 0;
  readonly #make: (length: number) => T;

  constructor(make: (length: number) => T) {
    this.#make = make;
    this.#all = make(FIRST);
  }

  append(part: ArrayLike<number>): void {
    const needed = this.length + part.length;
    if (needed > this.#all.length) {
      const grown = this.#make(Math.max(needed, 2 * this.#all.length));
      grown.set(this.#all);
      this.#all = grown;
    }
    this.#all.set(part, this.length);
    this.length = needed;
  }

  /** What stands there from one index to another, as a view that later growth may leave behind. */
  view(from = 0, to = this.length): T {
    return this.#all.subarray(from, to) as T;
  }
}
