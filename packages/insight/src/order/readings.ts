import { Clock, type Epoch } from './clock.ts';

/**
 * What is known at a point under three readings of the rules, each at least as much as the first: the reading that is
 * judged by (docs/RULES.md section 2), the same where a fence before the trigger publishes (rule 1.7), and an H200's
 * completion in order (section 11).
 */
export interface Readings {
  readonly judged: Clock;
  readonly fenced: Clock;
  readonly hardware: Clock;
}

export const NOTHING: Readings = { judged: Clock.ZERO, fenced: Clock.ZERO, hardware: Clock.ZERO };

export function joinReadings(a: Readings, b: Readings): Readings {
  if (a === b) return a;
  const judged = a.judged.join(b.judged);
  const fenced = a.fenced === a.judged && b.fenced === b.judged ? judged : a.fenced.join(b.fenced);
  const hardware = a.hardware === a.judged && b.hardware === b.judged ? judged : a.hardware.join(b.hardware);
  if (judged === a.judged && fenced === a.fenced && hardware === a.hardware) return a;
  return { judged, fenced, hardware };
}

/** Knows some epochs too, under each reading. */
export function withEpochs(readings: Readings, epochs: readonly Epoch[]): Readings {
  let known = readings;
  for (const epoch of epochs) {
    const judged = known.judged.with(epoch);
    known = {
      judged,
      fenced: known.fenced === known.judged ? judged : known.fenced.with(epoch),
      hardware: known.hardware === known.judged ? judged : known.hardware.with(epoch),
    };
  }
  return known;
}
