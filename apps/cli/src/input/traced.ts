import type { ImportedProgram, Trace } from '@griddep/importers';
import type { Machine } from '@griddep/machine';
import { warn } from '../output/stdout.ts';
import { InputError } from './input-error.ts';
import { resolveMachine } from './machine.ts';

/** What a command was told about traces. */
export interface TraceOptions {
  readonly partial?: boolean;
  /** Only this step. */
  readonly step?: number;
  /** How many equal steps there are. */
  readonly steps?: number;
  /** The program is to be without what the profiler cost. */
  readonly isUnprofiled?: boolean;
  /** Whether stream waits that only the order of calls makes likely are taken as such; true if left out. */
  readonly assumesWaits?: boolean;
}

/** A program that came from traces, and the machine that they were taken on or that was asked for. */
export interface TracedProgram {
  readonly imported: ImportedProgram;
  readonly machine: Machine;
}

/**
 * The program of some traces, for a machine or, where none is named, for the one that they were taken on with the rates
 * of its copies.
 *
 * @throws InputError, ProgramError, MachineError or TraceError
 */
export async function programOfTraces(
  all: readonly Trace[],
  name: string,
  machine: Machine | undefined,
  { step, steps, isUnprofiled = false, assumesWaits = true }: TraceOptions,
): Promise<TracedProgram> {
  const { importTraces, machineNameOf, traceOfStep, withTraceRates } = await import('@griddep/importers');
  const traces = step === undefined ? all : all.map((trace) => traceOfStep(trace, step, steps));
  const own = machineNameOf(traces);
  if (machine === undefined && !own.isKnown) {
    const device = own.device === '' ? 'a device that it does not name' : own.device;
    warn(`${name}: was taken on ${device}; ${own.name} stands in for it (--machine names another)`);
  }
  const meant = machine ?? (await resolveMachine(own.name));
  const isOwn = machine === undefined || own.name.startsWith(meant.devices[0]?.name ?? ' ');
  const used = isOwn ? withTraceRates(meant, traces, { isUnprofiled }) : meant;
  const imported = importTraces(traces, {
    ...{ machine: used, isUnprofiled, assumesWaits },
    // One step has no others in it.
    ...(steps === undefined || step !== undefined ? {} : { steps }),
  });
  const { checkProgram } = await import('@griddep/simulator');
  const { ProgramError } = await import('@griddep/program');
  try {
    checkProgram(imported.program, used);
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    throw new InputError(`${name}: ${error.message}`);
  }
  return { imported, machine: used };
}
