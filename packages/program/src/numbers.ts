import { ProgramError } from './errors.ts';
import type { Dim3Input } from './inputs.ts';
import { describeArgument } from './option-keys.ts';
import type { Dim3 } from './units.ts';

/** A whole number of at least `least`; ProgramError otherwise. */
export function whole(value: number, what: string, least = 0): number {
  // Adding 0 turns -0 into 0.
  if (Number.isSafeInteger(value) && value >= least) return value + 0;
  throw new ProgramError(`${what} must be a whole number of at least ${least}, got ${describeArgument(value)}`, {
    offending: String(value),
    path: [what],
  });
}

/** Three dimensions, each at least 1 and at most `limits`. */
export function dim3(input: Dim3Input, what: string, limits: Dim3): Dim3 {
  const given = typeof input === 'number' ? [input] : input;
  if (!Array.isArray(given) || given.length < 1 || given.length > 3) {
    throw new ProgramError(`${what} must be a number or a list of one to three numbers`, { path: [what] });
  }
  const size = (axis: 0 | 1 | 2): number => {
    const value = given[axis] ?? 1;
    if (Number.isSafeInteger(value) && value >= 1 && value <= limits[axis]) return value;
    throw new ProgramError(
      `${what}.${'xyz'[axis]} must be a whole number from 1 to ${limits[axis]}, got ${String(value)}`,
      { offending: String(value), path: typeof input === 'number' ? [what] : [what, axis] },
    );
  };
  return [size(0), size(1), size(2)];
}

/** Limits of every compute capability: grid, block, cluster (CUDA programming guide, technical specifications). */
export const MOST_GRID: Dim3 = [2 ** 31 - 1, 65_535, 65_535];
export const MOST_BLOCK: Dim3 = [1024, 1024, 64];
export const MOST_CLUSTER: Dim3 = [16, 16, 16];
export const MOST_THREADS_PER_BLOCK = 1024;
