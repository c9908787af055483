import type { Machine } from '@griddep/machine';
import type { SimulateOptions } from '@griddep/simulator';
import type { PreparedCase } from './case-group.ts';
import { type CaseComparison, compareCase } from './comparison.ts';
import { judgedBy } from './judged-by.ts';
import type { MeasuredCase } from './measured-case.ts';
import { isRefused, type RefusedCase, type SimulatedCase, simulateCase, simulatePrepared } from './simulate-case.ts';

/** Simulates a measured case on a machine as it is, and compares it. */
export function validateCase(
  measured: MeasuredCase,
  machine: Machine,
  options: SimulateOptions = {},
): CaseComparison | RefusedCase {
  return unmeasured(measured) ?? compared(measured, simulateCase(measured, machine, options));
}

/** A case as one that cannot be compared, if nothing was measured that it could be judged by. */
export function unmeasured({ refused, ...measured }: MeasuredCase): RefusedCase | undefined {
  if (refused !== undefined || measured.operations.length > 0 || judgedBy(measured) === 'host total') return undefined;
  return { name: measured.name, refused: 'nothing measured', unmeasured: true };
}

function compared(measured: MeasuredCase, simulated: SimulatedCase | RefusedCase): CaseComparison | RefusedCase {
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
    const nothing = unmeasured(prepared.measured);
    if (nothing === undefined) return compared(prepared.measured, simulatePrepared(prepared, machine));
    return prepared.file === undefined ? nothing : { ...nothing, file: prepared.file };
  });
}
