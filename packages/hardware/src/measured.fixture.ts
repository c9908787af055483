import type { Machine } from '@griddep/machine';
import { programBuilder, spin } from '@griddep/program';
import { machineFor, type PreparedCase } from './case-group.ts';
import type { MeasuredCall, MeasuredCase, MeasuredOperation } from './measured-case.ts';
import { isRefused, simulateCase } from './simulate-case.ts';

/** An operation that took the same in every run. */
export function exactly(label: string, start: number, end: number): MeasuredOperation {
  return { label, start, end, startLo: start, startHi: start, endLo: end, endHi: end, stale: 0 };
}

/** A case of one kernel in a stream, measured as the operations say. */
export function handMade(
  name: string,
  operations: readonly MeasuredOperation[],
  more: { readonly gated?: boolean; readonly calls?: readonly MeasuredCall[]; readonly hostTotal?: number } = {},
): MeasuredCase {
  const p = programBuilder(name);
  p.kernel('k', { grid: 1, block: 32, phases: [spin('1us')] });
  const stream = p.stream('s');
  p.hostThread('main', { callGap: '180ns' }).launchKernel('k', stream, undefined, { label: 'k' });
  return {
    name,
    program: p.build(),
    measuredBy: 'nobody',
    operations,
    hostTotal: more.hostTotal ?? Number.NaN,
    observation: {
      zero: { operation: 'k', at: more.gated === true ? 'end' : 'callBegin' },
      events: new Map(),
      prefix: '',
    },
    calls: more.calls ?? [],
  };
}

/** The case as if a machine had been measured that behaves as simulated. */
export function measuredOn(machine: Machine, prepared: PreparedCase): PreparedCase {
  const { measured } = prepared;
  const simulated = simulateCase(measured, machineFor(prepared, machine));
  if (isRefused(simulated)) throw new Error(`${simulated.name}: ${simulated.refused}`);
  const operations = simulated.intervals.map(({ label, startNs, endNs }) => exactly(label, startNs, endNs));
  return { ...prepared, measured: { ...measured, operations, hostTotal: simulated.hostTotalNs } };
}
