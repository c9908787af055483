const FIRST_ROWS = 64;

/** Rows of numbers in one growing array: what is kept of millions of things once they are over. */
export class NumberTable {
  readonly width: number;
  private numbers: Float64Array;
  /** Rows so far. */
  length = 0;

  constructor(width: number) {
    this.width = width;
    this.numbers = new Float64Array(FIRST_ROWS * width);
  }

  /** Appends a row; returns its index. */
  add(row: readonly number[]): number {
    const index = this.length++;
    if (this.length * this.width > this.numbers.length) {
      const grown = new Float64Array(this.numbers.length * 2);
      grown.set(this.numbers);
      this.numbers = grown;
    }
    this.numbers.set(row, index * this.width);
    return index;
  }

  /** A number of a row. */
  at(row: number, column: number): number {
    return this.numbers[row * this.width + column] as number;
  }

  /** All rows one after another, as a view. */
  rows(): Float64Array {
    return this.numbers.subarray(0, this.length * this.width);
  }
}
