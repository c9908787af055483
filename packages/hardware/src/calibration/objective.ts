import type { Machine } from '@griddep/machine';
import { machineFor, type PreparedCase } from '../case-group.ts';
import { compareCase, LEAST_SPAN_NS, makespanRange } from '../comparison.ts';
import type { MeasuredCase } from '../measured-case.ts';
import { isRefused, type SimulatedCase, simulateCase } from '../simulate-case.ts';
import type { Figure } from './isolation.ts';

/** What a case counts at the most: one that lacks a mechanism altogether must not bend the constants of others. */
const MOST = 0.1;

/** Mean over cases of how far a machine is off in a figure, in shares of the makespan. */
export function objective(cases: readonly PreparedCase[], figure: Figure, machine: Machine): number {
  let sum = 0;
  for (const prepared of cases) {
    const simulated = simulateCase(prepared.measured, machineFor(prepared, machine));
    sum += isRefused(simulated) ? MOST : Math.min(MOST, errorOf(prepared.measured, simulated, figure));
  }
  return sum / cases.length;
}

function errorOf(measured: MeasuredCase, simulated: SimulatedCase, figure: Figure): number {
  const { intervals, hostTotalNs } = simulated;
  switch (figure) {
    case 'placement': {
      const { placementError, makespanError } = compareCase(measured, intervals, hostTotalNs);
      return (Number.isNaN(placementError) ? 0 : placementError) + Math.abs(makespanError);
    }
    case 'first start': {
      const first = (starts: readonly number[]) => Math.min(...starts);
      const own = first(intervals.map(({ startNs }) => startNs));
      return Math.abs(own - first(measured.operations.map(({ start }) => start))) / LEAST_SPAN_NS;
    }
    case 'host total':
      return Math.abs(hostTotalNs - measured.hostTotal) / LEAST_SPAN_NS;
  }
}

/** What the hardware's own spread leaves undecided of the objective: half its 10-90 % range, of a mean over the cases. */
export function hardwareSpread(cases: readonly PreparedCase[]): number {
  let sum = 0;
  for (const { measured } of cases) {
    const { least, most } = makespanRange(measured);
    sum += (most - least) / 2 / Math.max(most, LEAST_SPAN_NS);
  }
  return sum / cases.length / Math.sqrt(cases.length);
}
