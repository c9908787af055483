import type { SourcePlace } from './instruction.ts';

const LOC = /^\s*(\d+)\s+(\d+)\s+(\d+)(?:\s*,.*?\binlined_at\s+(\d+)\s+(\d+)\s+(\d+))?/;

/** The places that `.loc` lines of a function give; the same place is the same object. */
export class Locations {
  readonly #sources: ReadonlyMap<number, string>;
  readonly #known = new Map<string, SourcePlace>();

  constructor(sources: ReadonlyMap<number, string>) {
    this.#sources = sources;
  }

  /** @param line what follows `.loc` in its line; undefined if that is no place, or of no file (line 0) */
  read(line: string): SourcePlace | undefined {
    const match = LOC.exec(line);
    if (match === null) return undefined;
    const [, file, row, column, ...caller] = match;
    if (row === '0') return undefined;
    const key = `${file} ${row} ${column}`;
    const inlined = caller.some((part) => part !== undefined);
    // Where code was inlined is named by the place of a call, which may itself stand in inlined code.
    const inlinedAt = inlined ? this.#place(caller.join(' ')) : undefined;
    return this.#place(inlined ? `${key} ${caller.join(' ')}` : key, key, inlinedAt);
  }

  #place(key: string, own = key, inlinedAt?: SourcePlace): SourcePlace {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const [file = 0, line = 0, column = 0] = own.split(' ').map(Number);
    const place: SourcePlace = {
      file: this.#sources.get(file) ?? `file ${file}`,
      line,
      column,
      ...(inlinedAt === undefined ? {} : { inlinedAt }),
    };
    this.#known.set(key, place);
    // A call's own place is how code inlined there names it.
    if (inlinedAt !== undefined && !this.#known.has(own)) this.#known.set(own, place);
    return place;
  }
}
