import type { Machine } from '@griddep/machine';
import { simulate, type SimulateOptions } from '@griddep/simulator';
import { quantileSorted } from 'simple-statistics';
import { type CaseComparison, compareCase } from './comparison.ts';
import { observe } from './intervals.ts';
import type { MeasuredCase } from './measured-case.ts';

/** A case that could not be compared, and why. */
export interface RefusedCase {
  readonly name: string;
  readonly refused: string;
}

/** Median and 90th percentile of a figure over cases. */
export interface Spread {
  readonly median: number;
  readonly p90: number;
  readonly worst: number;
}

export interface ValidationSummary {
  readonly cases: number;
  readonly refused: number;
  readonly makespan: Spread;
  readonly makespanBeyondRange: Spread;
  readonly placement: Spread;
  /** Mean over cases that have judged pairs. */
  readonly overlapAgreement: number;
  readonly judgedPairs: number;
}

/** Simulates a measured case and compares it. */
export function validateCase(measured: MeasuredCase, machine: Machine, options: SimulateOptions = {}): CaseComparison | RefusedCase {
  try {
    const timeline = simulate(measured.program, machine, { maxEvents: 5_000_000, ...options });
    const [error] = timeline.errors;
    if (error !== undefined) return { name: measured.name, refused: `${error.name}: ${error.message}` };
    const [stuck] = timeline.stuck;
    if (stuck !== undefined) return { name: measured.name, refused: `never ends: ${stuck}` };
    return compareCase(measured, observe(timeline, measured));
  } catch (error) {
    return { name: measured.name, refused: error instanceof Error ? error.message : String(error) };
  }
}

export function isRefused(result: CaseComparison | RefusedCase): result is RefusedCase {
  return 'refused' in result;
}

/** Figures over all compared cases; errors in absolute value. */
export function summarize(results: readonly (CaseComparison | RefusedCase)[]): ValidationSummary {
  const compared = results.filter((r): r is CaseComparison => !isRefused(r));
  const judged = compared.filter((r) => r.judgedPairs > 0);
  const mean = judged.reduce((sum, r) => sum + r.overlapAgreement, 0) / judged.length;
  return {
    cases: compared.length,
    refused: results.length - compared.length,
    makespan: spread(compared.map((r) => Math.abs(r.makespanError))),
    makespanBeyondRange: spread(compared.map((r) => r.makespanErrorBeyondRange)),
    placement: spread(compared.map((r) => r.placementError)),
    overlapAgreement: judged.length === 0 ? Number.NaN : mean,
    judgedPairs: judged.reduce((sum, r) => sum + r.judgedPairs, 0),
  };
}

function spread(values: readonly number[]): Spread {
  if (values.length === 0) return { median: Number.NaN, p90: Number.NaN, worst: Number.NaN };
  const sorted = [...values].sort((a, b) => a - b);
  return { median: quantileSorted(sorted, 0.5), p90: quantileSorted(sorted, 0.9), worst: sorted[sorted.length - 1] as number };
}
