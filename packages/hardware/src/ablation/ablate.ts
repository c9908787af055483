import type { Machine } from '@griddep/machine';
import type { PreparedCase } from '../case-group.ts';
import { changedMachine } from '../machine-change.ts';
import { summarize, type ValidationSummary } from '../summary.ts';
import { validateCases } from '../validate.ts';
import { MECHANISMS, type Mechanism } from './mechanisms.ts';

/** Figures over all cases without a mechanism. */
export interface AblatedMechanism {
  readonly mechanism: string;
  readonly without: string;
  readonly summary: ValidationSummary;
}

export interface Ablation {
  /** With all mechanisms. */
  readonly all: ValidationSummary;
  /** The one that adds most to the mean makespan error first. */
  readonly mechanisms: readonly AblatedMechanism[];
}

/** Takes one mechanism after another away and compares the cases again. */
export function ablate(
  cases: readonly PreparedCase[],
  machine: Machine,
  mechanisms: readonly Mechanism[] = MECHANISMS,
  onProgress?: (done: number, total: number, mechanism: string) => void,
): Ablation {
  const all = summarize(validateCases(cases, machine));
  const ablated = mechanisms.map(({ mechanism, without, change }, i) => {
    onProgress?.(i, mechanisms.length, mechanism);
    return { mechanism, without, summary: summarize(validateCases(cases, changedMachine(machine, change))) };
  });
  return { all, mechanisms: ablated.sort((a, b) => b.summary.makespan.mean - a.summary.makespan.mean) };
}
