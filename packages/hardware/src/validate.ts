import type { Machine } from '@griddep/machine';
import type { SimulateOptions } from '@griddep/simulator';
import { machineFor, type PreparedCase } from './case-group.ts';
import { type CaseComparison, compareCase } from './comparison.ts';
import type { MeasuredCase } from './measured-case.ts';
import { isRefused, type RefusedCase, simulateCase } from './simulate-case.ts';

/** Simulates a measured case on a machine as it is, and compares it. */
export function validateCase(
  measured: MeasuredCase,
  machine: Machine,
  options: SimulateOptions = {},
): CaseComparison | RefusedCase {
  const simulated = simulateCase(measured, machine, options);
  return isRefused(simulated) ? simulated : compareCase(measured, simulated.intervals, simulated.hostTotalNs);
}

/**
 * Simulates cases, each with the devices it needs and the call costs of its host, and compares them.
 *
 * @param onCase called before each case
 */
export function validateCases(
  cases: readonly PreparedCase[],
  machine: Machine,
  onCase?: (index: number, name: string) => void,
): (CaseComparison | RefusedCase)[] {
  return cases.map((prepared, i) => {
    onCase?.(i, prepared.measured.name);
    return validateCase(prepared.measured, machineFor(prepared, machine));
  });
}
