import { isGated, type MeasuredCallKind, type MeasuredCase } from './measured-case.ts';

/** Calls of a kind that a case gives at the most: hundreds in a row slow each other and would decide a median. */
const MOST_PER_CASE = 32;
/** Fewer calls of a kind than this say little about a host. */
export const LEAST_SAMPLES = 8;

/**
 * What the calls of a case took, ns, by kind: the first of each. Only gated cases have any, since there the host had
 * enqueued everything before the device began, and nothing of the device's timeline, which cases are judged by, enters.
 */
export function callDurations(measured: MeasuredCase): ReadonlyMap<MeasuredCallKind, readonly number[]> {
  const durations = new Map<MeasuredCallKind, number[]>();
  if (!isGated(measured)) return durations;
  for (const { kind, durationNs } of measured.calls ?? []) {
    const own = durations.get(kind) ?? [];
    durations.set(kind, own);
    if (own.length < MOST_PER_CASE) own.push(Math.max(0, durationNs));
  }
  return durations;
}
