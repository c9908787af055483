import { quantileSorted } from 'simple-statistics';
import { callDurations, LEAST_SAMPLES } from '../call-durations.ts';
import type { PreparedCase } from '../case-group.ts';
import { devicesOf } from '../measured-case.ts';
import type { ReadOff } from './isolation.ts';

export interface ReadValue {
  readonly value: number;
  /** 10th and 90th percentile. */
  readonly low: number;
  readonly high: number;
  /** Mean distance of a call from the value, as share of it. */
  readonly residual: number;
  readonly cases: number;
}

/**
 * The median duration of a kind of call over gated cases of one device, since with several every call takes longer; undefined
 * where there are too few calls.
 */
export function readOff({ constant, cases }: ReadOff, from: readonly PreparedCase[]): ReadValue | undefined {
  const perCase = from
    .filter(({ measured }) => cases.test(measured.name) && devicesOf(measured) === 1)
    .map(({ measured }) => callDurations(measured).get(constant) ?? [])
    .filter(({ length }) => length > 0);
  const durations = perCase.flat();
  if (durations.length < LEAST_SAMPLES) return undefined;
  durations.sort((a, b) => a - b);
  const value = Math.round(quantileSorted(durations, 0.5));
  const off = durations.reduce((sum, duration) => sum + Math.abs(duration - value), 0) / durations.length;
  return {
    value,
    low: Math.round(quantileSorted(durations, 0.1)),
    high: Math.round(quantileSorted(durations, 0.9)),
    residual: off === 0 ? 0 : off / Math.max(1, value),
    cases: perCase.length,
  };
}
