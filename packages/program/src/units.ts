/** Virtual time: an integer number of picoseconds (exact to 2.5 hours in a JavaScript number). */
export type Picoseconds = number & { readonly __unit?: 'ps' };
/** A size in bytes, an integer. */
export type Bytes = number & { readonly __unit?: 'B' };
/** Three dimensions of a grid, block or cluster, each at least 1. */
export type Dim3 = readonly [x: number, y: number, z: number];

export const NANOSECOND = 1_000;
export const MICROSECOND = 1_000_000;
export const MILLISECOND = 1_000_000_000;
export const SECOND = 1_000_000_000_000;

/** Number of elements in a three-dimensional extent. */
export function volume(d: Dim3): number {
  return d[0] * d[1] * d[2];
}
