import type { DeadlineResult, ExploreResult, Timed } from '@griddep/insight';
import type { Machine } from '@griddep/machine';
import type { Program } from '@griddep/program';
import { EXIT } from '../exit-codes.ts';
import { InputError } from '../input/input-error.ts';
import { type ProgramCommandOptions, programOnMachine } from '../input/program-on-machine.ts';
import { exploreJson } from '../output/explore-json.ts';
import { exploreText } from '../output/explore-text.ts';
import type { ExploredBoth } from '../output/explored-both.ts';
import { print } from '../output/stdout.ts';

export interface ExploreCommandOptions extends ProgramCommandOptions {
  readonly bound: number;
  readonly random: number;
  readonly seed: number;
  readonly replay?: string;
  /** A time with its unit. */
  readonly deadline?: string;
  readonly pause: string;
  readonly shrink: boolean;
  readonly json?: boolean;
}

/** `griddep explore INPUT`: what else could happen, schedule by schedule. */
export async function explore(path: string | undefined, options: ExploreCommandOptions): Promise<number> {
  const { program, machine } = await programOnMachine(path, 'explore', options);
  const found = await exploredBoth(program, machine, options);
  const result = { program: program.name, ...found };
  await print(options.json === true ? `${JSON.stringify(exploreJson(result), null, 2)}\n` : exploreText(result));
  return found.findings.some(({ kind }) => kind !== 'other order') ? EXIT.exceeded : EXIT.ok;
}

async function exploredBoth(program: Program, machine: Machine, options: ExploreCommandOptions): Promise<ExploredBoth> {
  const { explore: tried, replay, missedDeadlines, replayDeadline, SeedError } = await import('@griddep/insight');
  const { bound, random, seed } = options;
  const { parseDuration } = await import('@griddep/program');
  const deadline = options.deadline === undefined ? undefined : parseDuration(options.deadline);
  const pause = parseDuration(options.pause);
  try {
    // Seeds of runs in time name calls, those of schedules what happens in them.
    const isRun = options.replay?.includes('@') === true || options.replay === 'as-is';
    if (isRun && deadline === undefined) throw new InputError('a run is replayed with its --deadline');
    if (options.replay !== undefined && !isRun) return both(replay(program, machine, options.replay), undefined);
    const timed = await timedBy(machine);
    if (options.replay !== undefined && deadline !== undefined)
      return both(undefined, replayDeadline(program, timed, options.replay, deadline));
    const schedules = tried(program, machine, { bound, random, seed, shrink: options.shrink ? 400 : 0 });
    if (deadline === undefined) return both(schedules, undefined);
    return both(schedules, missedDeadlines(program, timed, { deadline, pause, bound, random, seed }));
  } catch (error) {
    if (error instanceof SeedError) throw new InputError(error.message);
    throw error;
  }
}

function both(schedules: ExploreResult | undefined, runs: DeadlineResult | undefined): ExploredBoth {
  return { schedules, runs, findings: [...(schedules?.findings ?? []), ...(runs?.findings ?? [])] };
}

/** When the last operation on a device ends in the simulation; never where something is stuck. */
async function timedBy(machine: Machine): Promise<Timed> {
  const { simulate } = await import('@griddep/simulator');
  const { makespan } = await import('@griddep/timeline');
  return (program) => {
    const timeline = simulate(program, machine);
    if (timeline.stuck.length > 0) return Number.POSITIVE_INFINITY;
    const { end } = makespan(timeline);
    return Number.isNaN(end) ? 0 : end;
  };
}
