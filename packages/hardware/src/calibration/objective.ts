import type { Machine } from '@griddep/machine';
import type { PreparedCase } from '../case-group.ts';
import { compareCase, LEAST_SPAN_NS, least, makespanRange } from '../comparison.ts';
import type { MeasuredCase } from '../measured-case.ts';
import { isRefused, type SimulatedCase, simulatePrepared } from '../simulate-case.ts';
import { unmeasured } from '../validate.ts';
import type { Figure } from './isolation.ts';

/** What a case counts at the most: one that lacks a mechanism altogether must not bend the constants of others. */
const MOST = 0.1;

/**
 * Mean over cases of how far a machine is off in a figure, in shares of the makespan. A case that a value makes impossible
 * counts as the most; cases that cannot be compared at all must not be among them.
 */
export function objective(cases: readonly PreparedCase[], figure: Figure, machine: Machine): number {
  let sum = 0;
  for (const prepared of cases) {
    const simulated = simulatePrepared(prepared, machine);
    sum += isRefused(simulated) ? MOST : Math.min(MOST, errorOf(prepared.measured, simulated, figure));
  }
  return sum / cases.length;
}

/** Why a case tells nothing of a figure: it was not measured, or the machine does not run the case. */
export function incomparable(prepared: PreparedCase, figure: Figure, machine: Machine): string | undefined {
  const { refused, operations, hostTotal } = prepared.measured;
  if (refused !== undefined) return refused;
  if (figure === 'host total' && Number.isNaN(hostTotal)) return "the host's total was not measured";
  if (figure === 'first start' && operations.length === 0) return 'nothing measured';
  if (figure === 'placement' && unmeasured(prepared.measured) !== undefined) return 'nothing measured';
  const simulated = simulatePrepared(prepared, machine);
  return isRefused(simulated) ? simulated.refused : undefined;
}

function errorOf(measured: MeasuredCase, simulated: SimulatedCase, figure: Figure): number {
  const { intervals, hostTotalNs } = simulated;
  switch (figure) {
    case 'placement': {
      const { placementError, makespanError } = compareCase(measured, intervals, hostTotalNs);
      return (Number.isNaN(placementError) ? 0 : placementError) + Math.abs(makespanError);
    }
    case 'first start': {
      const own = least(intervals.map(({ startNs }) => startNs));
      return Math.abs(own - least(measured.operations.map(({ start }) => start))) / LEAST_SPAN_NS;
    }
    case 'host total':
      return Math.abs(hostTotalNs - measured.hostTotal) / LEAST_SPAN_NS;
  }
}

/** What the hardware's own spread leaves undecided of the objective: half its 10-90 % range, of a mean over the cases. */
export function hardwareSpread(cases: readonly PreparedCase[]): number {
  let sum = 0;
  for (const { measured } of cases) {
    const range = makespanRange(measured);
    sum += (range.most - range.least) / 2 / Math.max(range.most, LEAST_SPAN_NS);
  }
  return sum / cases.length / Math.sqrt(cases.length);
}
