import type { HostTimingName, Machine } from '@griddep/machine';
import type { Program } from '@griddep/program';
import { medianSorted } from 'simple-statistics';
import { callDurations, LEAST_SAMPLES } from './call-durations.ts';
import { changedMachine } from './machine-change.ts';
import { devicesOf, type MeasuredCallKind, type MeasuredCase } from './measured-case.ts';

const PS_PER_NS = 1000;
const LAUNCHES: ReadonlySet<MeasuredCallKind> = new Set(['launchKernel', 'launchKernelProgrammatic']);

export interface EnvironmentValue {
  /** Median over the first calls of the kind in each case. */
  readonly valueNs: number;
  readonly samples: number;
}

/** What calls cost on the host that measured some cases; kinds with too few calls are absent. */
export type HostEnvironment = ReadonlyMap<MeasuredCallKind, EnvironmentValue>;

/**
 * What calls cost while a file of cases was measured. Hosts differ (a launch took 3.3 us on one and
 * 5.0 us on another), and the simulation of a device should not be judged by that.
 *
 * Only gated cases count: there the host had enqueued everything before the device began, so nothing of the device's
 * timeline, which is what cases are judged by, enters. Ungated cases take the costs but give none.
 *
 * @param machine whose addition for several devices is taken off the launches of cases that use several
 */
export function hostEnvironment(cases: readonly MeasuredCase[], machine: Machine): HostEnvironment {
  const samples = new Map<MeasuredCallKind, number[]>();
  for (const measured of cases) {
    const addition = devicesOf(measured) > 1 ? machine.host.timing.severalDevices.value : 0;
    for (const [kind, taken] of callDurations(measured)) {
      const durations = samples.get(kind) ?? [];
      samples.set(kind, durations);
      for (const ns of taken) durations.push(Math.max(0, ns - (LAUNCHES.has(kind) ? addition : 0)));
    }
  }
  const environment = new Map<MeasuredCallKind, EnvironmentValue>();
  for (const [kind, durations] of samples) {
    if (durations.length < LEAST_SAMPLES) continue;
    durations.sort((a, b) => a - b);
    environment.set(kind, { valueNs: medianSorted(durations), samples: durations.length });
  }
  return environment;
}

/** The machine with the costs of an environment in place of its own. */
export function machineIn(environment: HostEnvironment, machine: Machine): Machine {
  const host: Partial<Record<HostTimingName, number>> = {};
  for (const [kind, { valueNs }] of environment) if (kind !== 'callGap') host[kind] = valueNs;
  return changedMachine(machine, { host });
}

/** The program with the environment's time between two calls in place of its own. */
export function programIn(environment: HostEnvironment, program: Program): Program {
  const gap = environment.get('callGap');
  if (gap === undefined) return program;
  const callGap = Math.round(gap.valueNs * PS_PER_NS) as Program['threads'][number]['callGap'];
  return { ...program, threads: program.threads.map((thread) => ({ ...thread, callGap })) };
}
