import { TimelineFileError } from './file-error.ts';

/** Collects texts; columns refer to them by position. */
export class TextTable {
  readonly texts: string[] = [];
  readonly #positions = new Map<string, number>();

  /** Position of `text`, which is added at its first use. */
  add(text: string): number {
    let position = this.#positions.get(text);
    if (position === undefined) {
      position = this.texts.push(text) - 1;
      this.#positions.set(text, position);
    }
    return position;
  }
}

/** Reads one column and names the place of whatever does not fit. */
export class ColumnReader {
  readonly #column: readonly unknown[];
  readonly #name: string;

  constructor(columns: Readonly<Record<string, unknown>>, group: string, key: string, length?: number) {
    const column = columns[key];
    this.#name = `${group}.${key}`;
    if (!Array.isArray(column)) throw new TimelineFileError(`${this.#name}: this column is missing`);
    if (length !== undefined && column.length !== length) {
      throw new TimelineFileError(`${this.#name}: has ${column.length} entries, expected ${length}`);
    }
    this.#column = column;
  }

  get length(): number {
    return this.#column.length;
  }

  integer(row: number, from = Number.MIN_SAFE_INTEGER, below = Number.MAX_SAFE_INTEGER): number {
    const value = this.#column[row];
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= from && value < below) return value;
    const range = from === Number.MIN_SAFE_INTEGER ? 'an integer' : `an integer from ${from} to ${below - 1}`;
    return this.#fail(row, range);
  }

  /** An integer, or NaN where the file has null. */
  instant(row: number): number {
    return this.#column[row] === null ? Number.NaN : this.integer(row);
  }

  number(row: number): number {
    const value = this.#column[row];
    return typeof value === 'number' ? value : this.#fail(row, 'a number');
  }

  text(row: number): string {
    const value = this.#column[row];
    return typeof value === 'string' ? value : this.#fail(row, 'a text');
  }

  /** An integer from 0 to `below`, or undefined where the file has null. */
  optionalIndex(row: number, below: number): number | undefined {
    return this.#column[row] === null ? undefined : this.integer(row, 0, below);
  }

  #fail(row: number, expected: string): never {
    throw new TimelineFileError(
      `${this.#name}[${row}]: expected ${expected}, found ${JSON.stringify(this.#column[row]) ?? 'nothing'}`,
    );
  }
}

/** Checks that a value fits an integer column, and turns NaN into null. */
export function fileInstant(value: number, place: string): number | null {
  if (Number.isNaN(value)) return null;
  if (Number.isSafeInteger(value)) return value;
  throw new TimelineFileError(`${place}: instants are integer picoseconds, found ${value}`);
}
