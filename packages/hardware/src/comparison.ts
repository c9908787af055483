import type { SimulatedInterval } from './intervals.ts';
import { type JudgedBy, judgedBy } from './judged-by.ts';
import type { MeasuredCase, MeasuredOperation } from './measured-case.ts';

/** Errors are relative to the measured makespan or this, whichever is more: below it, ns of jitter would be percents. */
export const LEAST_SPAN_NS = 20_000;

export interface CaseComparison {
  readonly name: string;
  readonly ops: readonly SimulatedInterval[];
  /** What the spans below are: first start to last end on the device, or the host's total. */
  readonly judgedBy: JudgedBy;
  readonly measuredMakespanNs: number;
  readonly simulatedMakespanNs: number;
  /** Signed: positive when the simulation takes longer. */
  readonly makespanError: number;
  /** Beyond what the hardware's own 10-90 % range allows, at least 0; NaN where the range was not taken. */
  readonly makespanErrorBeyondRange: number;
  /** Mean over operations and both ends, first starts aligned; NaN where the hardware's order is random. */
  readonly placementError: number;
  /** Share of judged pairs whose verdict (overlap or not) agrees; NaN without a judged pair. */
  readonly overlapAgreement: number;
  readonly judgedPairs: number;
  /** The operation displaced most, and by how much (ns, first starts aligned). */
  readonly worst: { readonly label: string; readonly displacedNs: number };
}

/**
 * Compares a simulated case with its measurement. Something must have been measured: timed operations, or the host's total.
 *
 * @param hostTotalNs the simulated time from the zero to the return of the last synchronise
 */
export function compareCase(
  measured: MeasuredCase,
  simulated: readonly SimulatedInterval[],
  hostTotalNs: number,
): CaseComparison {
  return judgedBy(measured) === 'host total'
    ? compareTotals(measured, simulated, hostTotalNs)
    : compareIntervals(measured, simulated);
}

function compareTotals(
  { name, hostTotal }: MeasuredCase,
  ops: readonly SimulatedInterval[],
  hostTotalNs: number,
): CaseComparison {
  return {
    name,
    ops,
    judgedBy: 'host total',
    measuredMakespanNs: hostTotal,
    simulatedMakespanNs: hostTotalNs,
    makespanError: (hostTotalNs - hostTotal) / Math.max(hostTotal, LEAST_SPAN_NS),
    makespanErrorBeyondRange: Number.NaN,
    placementError: Number.NaN,
    overlapAgreement: Number.NaN,
    judgedPairs: 0,
    worst: { label: 'host total', displacedNs: hostTotalNs - hostTotal },
  };
}

function compareIntervals(measured: MeasuredCase, simulated: readonly SimulatedInterval[]): CaseComparison {
  const pairs = measured.operations.map((m, i) => ({ m, s: simulated[i] as SimulatedInterval }));
  const span = makespan(measured.operations.map((m) => [m.start, m.end]));
  const own = makespan(simulated.map((s) => [s.startNs, s.endNs]));
  const scale = Math.max(span, LEAST_SPAN_NS);
  const { least, most } = makespanRange(measured);
  const beyond = own > most ? own - most : own < least ? least - own : 0;
  const overlap = overlapAgreement(pairs);
  const displaced = displacements(pairs);
  return {
    name: measured.name,
    ops: simulated,
    judgedBy: 'device intervals',
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

/** The hardware's makespan at the median and both percentiles, the least and the most of the three, ns. */
export function makespanRange({ operations }: MeasuredCase): { readonly least: number; readonly most: number } {
  const spans = [
    makespan(operations.map((m) => [m.start, m.end])),
    makespan(operations.map((m) => [m.startLo, m.endLo])),
    makespan(operations.map((m) => [m.startHi, m.endHi])),
  ];
  return { least: Math.min(...spans), most: Math.max(...spans) };
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

/** Of however many values: as arguments of a call they would be limited. */
export function least(values: readonly number[]): number {
  return values.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);
}

function displacements(pairs: readonly Pair[]): { mean: number; worst: { label: string; displacedNs: number } } {
  const zeroMeasured = least(pairs.map(({ m }) => m.start));
  const zeroSimulated = least(pairs.map(({ s }) => s.startNs));
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
