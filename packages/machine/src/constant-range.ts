import type { Unit } from './constant.ts';

/** The values that a constant can have, in its unit; both ends belong to them. */
export interface ConstantRange {
  readonly least: number;
  readonly most: number;
  readonly whole?: true;
}

const HOUR = 3.6e12;
/** Nanoseconds. */
export const DURATION: ConstantRange = { least: 0, most: HOUR };
/** Of what divides or repeats: at least the picosecond that the simulator counts in. */
export const POSITIVE_DURATION: ConstantRange = { least: 1e-3, most: HOUR };
/** Bytes per second. */
export const RATE: ConstantRange = { least: 1, most: 1e18 };
export const COUNT: ConstantRange = { least: 1, most: 1e6, whole: true };
export const BYTES: ConstantRange = { least: 0, most: 2 ** 50 };
/** Of what divides a size. */
export const POSITIVE_BYTES: ConstantRange = { least: 1, most: 2 ** 50, whole: true };
export const SHARE: ConstantRange = { least: 0, most: 1 };
/** Of times: sharing makes nothing quicker. */
export const FACTOR: ConstantRange = { least: 1, most: 1000 };
/** Of bytes per byte. */
export const MULTIPLE: ConstantRange = { least: 0, most: 1000 };
/** Exponents of a law of saturation. */
export const EXPONENT: ConstantRange = { least: 0.1, most: 100 };

/** What is wrong with a value of a constant, in plain words; undefined when nothing is. */
export function rangeProblem(value: number, unit: Unit, { least, most, whole }: ConstantRange): string | undefined {
  const digits = (n: number) => (Math.abs(n) < 1e12 ? `${n}` : n.toExponential());
  const shown = (n: number) => (unit === '1' ? digits(n) : `${digits(n)} ${unit}`);
  if (whole === true && !Number.isInteger(value)) return `must be a whole number, got ${shown(value)}`;
  if (value >= least && value <= most) return undefined;
  return value > most
    ? `must be at most ${shown(most)}, got ${shown(value)}`
    : `must be at least ${shown(least)}, got ${shown(value)}`;
}
