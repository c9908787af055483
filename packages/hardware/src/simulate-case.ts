import type { Machine } from '@griddep/machine';
import { ProgramError } from '@griddep/program';
import { type SimulateOptions, SimulationLimit, simulate } from '@griddep/simulator';
import { observe, observeHostTotal, type SimulatedInterval } from './intervals.ts';
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
  const { name } = measured;
  try {
    const timeline = simulate(measured.program, machine, { maxEvents: 5_000_000, ...options });
    const [error] = timeline.errors;
    if (error !== undefined) return { name, refused: `${error.name}: ${error.message}` };
    const [stuck] = timeline.stuck;
    if (stuck !== undefined) return { name, refused: `never ends: ${stuck}` };
    return { intervals: observe(timeline, measured), hostTotalNs: observeHostTotal(timeline, measured) };
  } catch (error) {
    if (error instanceof ProgramError || error instanceof SimulationLimit) return { name, refused: error.message };
    throw error;
  }
}

export function isRefused<T extends object>(result: T | RefusedCase): result is RefusedCase {
  return 'refused' in result;
}
