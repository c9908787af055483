import { type Machine, MachineError } from '@griddep/machine';
import { ProgramError } from '@griddep/program';
import { type SimulateOptions, SimulationLimit, simulate } from '@griddep/simulator';
import { machineFor, type PreparedCase } from './case-group.ts';
import { observe, observeHostTotal, type SimulatedInterval, UnobservableError } from './intervals.ts';
import type { MeasuredCase } from './measured-case.ts';

/** A simulated run of a case, as the measuring program would have seen it. */
export interface SimulatedCase {
  readonly intervals: readonly SimulatedInterval[];
  /** Zero of the case to the return of the last synchronise. */
  readonly hostTotalNs: number;
}

/** A case that could not be compared, and why. */
export interface RefusedCase {
  readonly name: string;
  readonly refused: string;
  /** The file it is of, where known. */
  readonly file?: string;
  /** Nothing was measured that a simulation could be compared with: no fault of either. */
  readonly unmeasured?: true;
}

/** Simulates a case as it was measured: with the devices it needs and the call costs of its host. */
export function simulatePrepared(prepared: PreparedCase, machine: Machine): SimulatedCase | RefusedCase {
  const { measured, file } = prepared;
  const own = () => simulateCase(measured, machineFor(prepared, machine));
  const simulated = unlessRefused(measured.name, own);
  return isRefused(simulated) && file !== undefined ? { ...simulated, file } : simulated;
}

/**
 * Simulates a measured case. CUDA errors, programs that the machine cannot run, and runs that never end refuse it.
 *
 * @throws Error for whatever else goes wrong: a fault of the simulator or of the case.
 */
export function simulateCase(
  measured: MeasuredCase,
  machine: Machine,
  options: SimulateOptions = {},
): SimulatedCase | RefusedCase {
  const { name, refused } = measured;
  if (refused !== undefined) return { name, refused };
  return unlessRefused(name, () => {
    const timeline = simulate(measured.program, machine, { maxEvents: 5_000_000, ...options });
    const [error] = timeline.errors;
    if (error !== undefined) return { name, refused: `${error.name}: ${error.message}` };
    const [stuck] = timeline.stuck;
    if (stuck !== undefined) return { name, refused: `never ends: ${stuck}` };
    return { intervals: observe(timeline, measured), hostTotalNs: observeHostTotal(timeline, measured) };
  });
}

/** Errors that tell of the case or the machine it is to run on, not of the simulator. */
const REFUSALS = [ProgramError, MachineError, SimulationLimit, UnobservableError];

function unlessRefused(name: string, run: () => SimulatedCase | RefusedCase): SimulatedCase | RefusedCase {
  try {
    return run();
  } catch (error) {
    if (REFUSALS.some((kind) => error instanceof kind)) return { name, refused: (error as Error).message };
    throw error;
  }
}

export function isRefused<T extends object>(result: T | RefusedCase): result is RefusedCase {
  return 'refused' in result;
}
