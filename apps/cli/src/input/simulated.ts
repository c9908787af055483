import type { ImportedProgram } from '@griddep/importers';
import type { Machine } from '@griddep/machine';
import type { Program, ProgramWarning } from '@griddep/program';
import type { Interval } from '@griddep/simulator';
import type { ParallelOptions, ParallelRun, ShardProgress } from '@griddep/simulator/parallel';
import type { Timeline } from '@griddep/timeline';
import type { RunBegun } from '@griddep/viewer';
import { Progress } from '../output/progress.ts';
import { shardsProgress } from '../output/shards-text.ts';
import { InputError } from './input-error.ts';
import { resolveMachine } from './machine.ts';
import { type InputSource, resolveInput } from './resolve.ts';
import type { Settings } from './settings.ts';
import { refuseForOther } from './trace-options.ts';
import type { TracedProgram, TraceOptions } from './traced.ts';

export const DEFAULT_MACHINE = 'h200';

/** Who looks on while a simulation runs. */
export interface LiveRun {
  begins(run: RunBegun): void;
  /** Where the devices are, also in words. */
  progress(text: string, shards: readonly ShardProgress[]): void;
  intervals(batch: readonly Interval[]): void;
}

export interface TimelineRequest {
  readonly set: Settings;
  /** As the user gave it; undefined for the default. */
  readonly machine: string | undefined;
  readonly simulation?: ParallelOptions;
  readonly live?: LiveRun | undefined;
  /** Machine and parameters are for another input, if this one is a timeline; else they are refused. */
  readonly isOneOfSeveral?: boolean;
  readonly traces?: TraceOptions & {
    /** The trace's own timeline is wanted, not a simulated one. */
    readonly asTraced?: boolean;
  };
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
  /** What was simulated; unknown for a saved timeline. */
  readonly program: Program | undefined;
  /** How the threads did that simulated it; none for a saved timeline. */
  readonly shards: ParallelRun['shards'];
  /** The traces that it came from. */
  readonly imported?: ImportedProgram;
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
  const input = await resolveInput(source, {
    set,
    check,
    isOneOfSeveral,
    machine: request.machine === undefined ? undefined : machine,
    traces: request.traces,
  });
  if (input.kind === 'program' && input.traced !== undefined)
    return timelineOfTraces(input.name, input.traced, request);
  if (request.traces?.asTraced === true) refuseForOther(input.name, '--traced');
  if (input.kind === 'program') {
    const { programWarnings } = await import('@griddep/program');
    const { program } = input;
    const settings = Object.entries(set).map(([name, value]) => `${name}=${value}`);
    const from = [input.name, ...settings].join(', ');
    const { timeline, shards } = await simulateWithProgress(program, machine, request.simulation ?? {}, {
      live: request.live,
      from,
    });
    return {
      timeline,
      shards,
      from,
      warnings: programWarnings(program),
      machine,
      program,
    };
  }
  if (request.machine !== undefined && !isOneOfSeveral) {
    throw new InputError(
      `${input.name}: is a saved timeline of machine ${input.timeline.machine}, --machine needs a program`,
    );
  }
  return {
    timeline: input.timeline,
    from: input.name,
    warnings: [],
    machine: undefined,
    program: undefined,
    shards: [],
  };
}

async function timelineOfTraces(
  name: string,
  { imported, machine }: TracedProgram,
  { simulation = {}, traces = {}, live }: TimelineRequest,
): Promise<TimelineInput> {
  const common = { from: name, warnings: [], machine, program: imported.program, imported };
  if (traces.asTraced === true) {
    const { tracedTimeline } = await import('@griddep/importers');
    return { ...common, timeline: tracedTimeline(imported), shards: [] };
  }
  const { timeline, shards } = await simulateWithProgress(imported.program, machine, simulation, {
    live,
    from: name,
  });
  return { ...common, timeline, shards };
}

/** Simulates, and shows how far it is when that takes long. */
export async function simulateWithProgress(
  program: Program,
  machine: Machine,
  options: ParallelOptions,
  { live, from = '' }: { readonly live?: LiveRun | undefined; readonly from?: string } = {},
): Promise<ParallelRun> {
  const { simulateParallel } = await import('@griddep/simulator/parallel');
  const progress = await Progress.start({ format: `simulating ${program.name}: {devices}, {value} events` });
  const devices = machine.devices.map(({ name, limits }) => ({ name, sms: limits.sms }));
  live?.begins({ title: from, program: program.name, machine: machine.name, devices });
  try {
    return await simulateParallel(program, machine, {
      ...options,
      ...(live === undefined ? {} : { onIntervals: (batch) => live.intervals(batch) }),
      onProgress: (_, events, shards) => {
        const at = shardsProgress(shards);
        progress.update(events, { devices: at });
        live?.progress(`simulating ${program.name}: ${at}, ${events} events`, shards);
      },
    });
  } catch (error) {
    const tooMany = error instanceof Error && error.name === 'TooManyThreads';
    throw tooMany ? new InputError(`--workers ${options.workers}: ${error.message}`) : error;
  } finally {
    progress.stop();
  }
}
