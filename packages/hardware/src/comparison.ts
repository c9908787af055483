import type { SimulatedInterval } from './intervals.ts';
import type { MeasuredCase, MeasuredOperation } from './measured-case.ts';

/** Errors are relative to the measured makespan or this, whichever is more: below it, ns of jitter would be percents. */
const LEAST_SPAN_NS = 20_000;

export interface CaseComparison {
  readonly name: string;
  readonly ops: readonly SimulatedInterval[];
  readonly measuredMakespanNs: number;
  readonly simulatedMakespanNs: number;
  /** Signed: positive when the simulation takes longer. */
  readonly makespanError: number;
  /** Beyond what the hardware's own 10-90 % range allows, at least 0. */
  readonly makespanErrorBeyondRange: number;
  /** Mean over operations and both ends, first starts aligned. */
  readonly placementError: number;
  /** Share of judged pairs whose verdict (overlap or not) agrees; NaN without a judged pair. */
  readonly overlapAgreement: number;
  readonly judgedPairs: number;
  /** The operation displaced most, and by how much (ns, first starts aligned). */
  readonly worst: { readonly label: string; readonly displacedNs: number };
}

/** Compares a simulated case with its measurement. Cases without timed operations compare as exact. */
export function compareCase(measured: MeasuredCase, simulated: readonly SimulatedInterval[]): CaseComparison {
  const pairs = measured.operations.map((m, i) => ({ m, s: simulated[i] as SimulatedInterval }));
  const span = makespan(measured.operations.map((m) => [m.start, m.end]));
  const own = makespan(simulated.map((s) => [s.startNs, s.endNs]));
  const scale = Math.max(span, LEAST_SPAN_NS);
  const low = makespan(measured.operations.map((m) => [m.startLo, m.endLo]));
  const high = makespan(measured.operations.map((m) => [m.startHi, m.endHi]));
  const [least, most] = [Math.min(low, span, high), Math.max(low, span, high)];
  const beyond = own > most ? own - most : own < least ? least - own : 0;
  const overlap = overlapAgreement(pairs);
  const displaced = displacements(pairs);
  return {
    name: measured.name,
    ops: simulated,
    measuredMakespanNs: span,
    simulatedMakespanNs: own,
    makespanError: (own - span) / scale,
    makespanErrorBeyondRange: beyond / scale,
    placementError: displaced.mean / scale,
    overlapAgreement: overlap.judged === 0 ? Number.NaN : overlap.agreeing / overlap.judged,
    judgedPairs: overlap.judged,
    worst: displaced.worst,
  };
}

interface Pair {
  readonly m: MeasuredOperation;
  readonly s: SimulatedInterval;
}

function makespan(intervals: readonly (readonly [number, number])[]): number {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [start, end] of intervals) {
    first = Math.min(first, start);
    last = Math.max(last, end);
  }
  return intervals.length === 0 ? 0 : last - first;
}

function displacements(pairs: readonly Pair[]): { mean: number; worst: { label: string; displacedNs: number } } {
  const zeroMeasured = Math.min(...pairs.map(({ m }) => m.start));
  const zeroSimulated = Math.min(...pairs.map(({ s }) => s.startNs));
  let sum = 0;
  let worst = { label: '', displacedNs: 0 };
  for (const { m, s } of pairs) {
    const start = s.startNs - zeroSimulated - (m.start - zeroMeasured);
    const end = s.endNs - zeroSimulated - (m.end - zeroMeasured);
    sum += (Math.abs(start) + Math.abs(end)) / 2;
    const most = Math.abs(start) > Math.abs(end) ? start : end;
    if (Math.abs(most) > Math.abs(worst.displacedNs)) worst = { label: m.label, displacedNs: most };
  }
  return { mean: pairs.length === 0 ? 0 : sum / pairs.length, worst };
}

/**
 * Verdicts on all pairs of operations. The hardware's own verdict is taken at the median and at both percentiles (a
 * run that starts late is late throughout, so like is paired with like); where they differ the pair is not judged.
 */
function overlapAgreement(pairs: readonly Pair[]): { judged: number; agreeing: number } {
  let judged = 0;
  let agreeing = 0;
  for (let i = 0; i < pairs.length; i++) {
    for (let j = i + 1; j < pairs.length; j++) {
      const [a, b] = [pairs[i] as Pair, pairs[j] as Pair];
      const verdict = overlaps(a.m.start, a.m.end, b.m.start, b.m.end);
      if (overlaps(a.m.startLo, a.m.endLo, b.m.startLo, b.m.endLo) !== verdict) continue;
      if (overlaps(a.m.startHi, a.m.endHi, b.m.startHi, b.m.endHi) !== verdict) continue;
      judged++;
      if (overlaps(a.s.startNs, a.s.endNs, b.s.startNs, b.s.endNs) === verdict) agreeing++;
    }
  }
  return { judged, agreeing };
}

function overlaps(startA: number, endA: number, startB: number, endB: number): boolean {
  return Math.min(endA, endB) > Math.max(startA, startB);
}
