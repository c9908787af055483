import type { Path } from './errors.ts';
import type { Place } from './json-scan.ts';

/** A parsed file, and where its parts stand. */
export interface Source {
  readonly value: unknown;
  /** Place of the value at a path (or of its key), or of the nearest thing around it. */
  locate(path: Path, atKey: boolean): Place;
  /** Place of a call: `ordinal` counts the elements of all lists under `calls`, in document order. */
  callPlace(path: Path, ordinal: number): { readonly line: number; readonly column: number };
}
