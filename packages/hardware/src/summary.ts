import { quantileSorted } from 'simple-statistics';
import type { CaseComparison } from './comparison.ts';
import { isRefused, type RefusedCase } from './simulate-case.ts';

/** Mean, median, 90th percentile and most of a figure over the cases that have it; NaN if none has. */
export interface Spread {
  readonly mean: number;
  readonly median: number;
  readonly p90: number;
  readonly worst: number;
}

export interface ValidationSummary {
  readonly cases: number;
  /** Cases that could not be simulated. */
  readonly refused: number;
  /** Cases of which nothing was measured. */
  readonly unmeasured: number;
  readonly makespan: Spread;
  readonly makespanBeyondRange: Spread;
  readonly placement: Spread;
  /** Mean over cases that have judged pairs. */
  readonly overlapAgreement: number;
  readonly judgedPairs: number;
}

/** Figures over all compared cases; errors in absolute value. */
export function summarize(results: readonly (CaseComparison | RefusedCase)[]): ValidationSummary {
  const compared = results.filter((r): r is CaseComparison => !isRefused(r));
  const unmeasured = results.filter((r) => isRefused(r) && r.unmeasured === true).length;
  const judged = compared.filter((r) => r.judgedPairs > 0);
  return {
    cases: compared.length,
    refused: results.length - compared.length - unmeasured,
    unmeasured,
    makespan: spread(compared.map((r) => Math.abs(r.makespanError))),
    makespanBeyondRange: spread(compared.map((r) => r.makespanErrorBeyondRange)),
    placement: spread(compared.map((r) => r.placementError)),
    overlapAgreement: judged.length === 0 ? Number.NaN : meanOf(judged.map((r) => r.overlapAgreement)),
    judgedPairs: judged.reduce((sum, r) => sum + r.judgedPairs, 0),
  };
}

/** The spread of values, those that are NaN left out. */
function spread(values: readonly number[]): Spread {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  const worst = sorted[sorted.length - 1];
  if (worst === undefined) return { mean: Number.NaN, median: Number.NaN, p90: Number.NaN, worst: Number.NaN };
  return { mean: meanOf(sorted), median: quantileSorted(sorted, 0.5), p90: quantileSorted(sorted, 0.9), worst };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
