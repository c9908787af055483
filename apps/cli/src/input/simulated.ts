import type { Machine } from '@griddep/machine';
import type { Program, ProgramWarning } from '@griddep/program';
import type { SimulateOptions } from '@griddep/simulator';
import type { Timeline } from '@griddep/timeline';
import { Progress } from '../output/progress.ts';
import { InputError } from './input-error.ts';
import { resolveMachine } from './machine.ts';
import { type InputSource, resolveInput } from './resolve.ts';
import type { Settings } from './settings.ts';

export const DEFAULT_MACHINE = 'h200';

export interface TimelineRequest {
  readonly set: Settings;
  /** As the user gave it; undefined for the default. */
  readonly machine: string | undefined;
  readonly simulation?: SimulateOptions;
  /** Machine and parameters are for another input, if this one is a timeline; else they are refused. */
  readonly isOneOfSeveral?: boolean;
}

/** A timeline and what it came from. */
export interface TimelineInput {
  readonly timeline: Timeline;
  /** File or scenario, and the settings it was given. */
  readonly from: string;
  /** What the program does that is legal but rarely meant; none is known of a saved timeline. */
  readonly warnings: readonly ProgramWarning[];
  /** What it was simulated on; unknown for a saved timeline. */
  readonly machine: Machine | undefined;
}

/**
 * The timeline of any input: a saved one as it is, a program simulated with progress on standard error.
 *
 * @throws InputError, ProgramError, MachineError or SimulationLimit
 */
export async function timelineOfInput(source: InputSource, request: TimelineRequest): Promise<TimelineInput> {
  const machine = await resolveMachine(request.machine ?? DEFAULT_MACHINE);
  const { checkProgram } = await import('@griddep/simulator');
  const { set, isOneOfSeveral = false } = request;
  const check = (program: Program) => checkProgram(program, machine);
  const input = await resolveInput(source, { set, check, ignoreSetOnTimeline: isOneOfSeveral });
  if (input.kind === 'program') {
    const { programWarnings } = await import('@griddep/program');
    const { program } = input;
    const settings = Object.entries(set).map(([name, value]) => `${name}=${value}`);
    return {
      timeline: await simulateWithProgress(program, machine, request.simulation ?? {}),
      from: [input.name, ...settings].join(', '),
      warnings: programWarnings(program),
      machine,
    };
  }
  if (request.machine !== undefined && !isOneOfSeveral) {
    throw new InputError(
      `${input.name}: is a saved timeline of machine ${input.timeline.machine}, --machine needs a program`,
    );
  }
  return { timeline: input.timeline, from: input.name, warnings: [], machine: undefined };
}

/** Simulates, and shows how far it is when that takes long. */
export async function simulateWithProgress(
  program: Program,
  machine: Machine,
  options: SimulateOptions,
): Promise<Timeline> {
  const { simulate } = await import('@griddep/simulator');
  const progress = await Progress.start({ format: `simulating ${program.name}: {time} us, {value} events` });
  try {
    return simulate(program, machine, {
      ...options,
      onProgress: (time, events) => progress.update(events, { time: (time / 1e6).toFixed(1) }),
    });
  } finally {
    progress.stop();
  }
}
