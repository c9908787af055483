import { quantileSorted } from 'simple-statistics';
import type { PreparedCase } from '../case-group.ts';
import { devicesOf } from '../measured-case.ts';
import type { ReadOff } from './isolation.ts';

/** Fewer calls than this say little. */
const LEAST_SAMPLES = 8;
const MOST_PER_CASE = 32;

export interface ReadValue {
  readonly value: number;
  /** 10th and 90th percentile. */
  readonly low: number;
  readonly high: number;
  /** Mean distance of a call from the value, as share of it. */
  readonly residual: number;
  readonly cases: number;
}

/** The median duration of a kind of call over cases of one device, since with several every call takes longer; undefined where there are too few. */
export function readOff({ constant, cases }: ReadOff, from: readonly PreparedCase[]): ReadValue | undefined {
  const perCase = from
    .filter(({ measured }) => cases.test(measured.name) && devicesOf(measured) === 1)
    .map(({ measured }) => (measured.calls ?? []).filter(({ kind }) => kind === constant).slice(0, MOST_PER_CASE))
    .filter(({ length }) => length > 0);
  const durations = perCase.flat().map(({ durationNs }) => durationNs);
  if (durations.length < LEAST_SAMPLES) return undefined;
  durations.sort((a, b) => a - b);
  const value = Math.round(quantileSorted(durations, 0.5));
  const off = durations.reduce((sum, duration) => sum + Math.abs(duration - value), 0) / durations.length;
  return {
    value,
    low: Math.round(quantileSorted(durations, 0.1)),
    high: Math.round(quantileSorted(durations, 0.9)),
    residual: off / value,
    cases: perCase.length,
  };
}
