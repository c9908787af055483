import type { Trace } from '@griddep/importers';
import type { WhatIf } from '@griddep/insight/what-if';
import { EXIT } from '../exit-codes.ts';
import { InputError } from '../input/input-error.ts';
import { resolveMachine } from '../input/machine.ts';
import { programOf, resolveInput } from '../input/resolve.ts';
import { parseSettings } from '../input/settings.ts';
import { DEFAULT_MACHINE, simulateWithProgress } from '../input/simulated.ts';
import { onlySource } from '../input/sources.ts';
import { refuseForOther, type TraceCommandOptions, traceOptions } from '../input/trace-options.ts';
import type { TracedProgram } from '../input/traced.ts';
import { type ChangeOptions, changesOf, durationOf } from '../input/what-if-changes.ts';
import { checkOutputs, type OutputFile, writeOutputs } from '../output/files.ts';
import { print } from '../output/stdout.ts';
import { warnOfErrors, warnOfStuck } from '../output/warnings.ts';
import { whatIfJson, whatIfText } from '../output/what-if-text.ts';

export interface WhatIfCommandOptions extends ChangeOptions, TraceCommandOptions {
  readonly fromMachine?: string;
  readonly scenario?: string;
  readonly set: readonly string[];
  readonly replay?: string;
  readonly observer?: 'events' | 'blocks';
  readonly ranges: boolean;
  readonly saveBefore?: string;
  readonly saveAfter?: string;
  readonly json?: boolean;
}

/**
 * What a framework's host code takes before it launches a graph, and before it records the event behind the work, us.
 * Replays of graphs of 16 and 64 small kernels took 2.6 and 2.8 us longer between two events than the same launches
 * without any such time, and one of one kernel, which the second record bounds, took 10.05 us; twice as long where other
 * work shared the host's core (PyTorch 2.11 on an H200's host, 2026-11-30).
 */
const REPLAY = { value: 2.6, low: 2, high: 5 };
const RECORDING = { value: 4.5, low: 4, high: 9 };

/** `griddep whatif INPUT …`: a program as it is and changed, side by side. */
export async function whatif(path: string | undefined, options: WhatIfCommandOptions): Promise<number> {
  const { checkProgram } = await import('@griddep/simulator');
  const { whatIf } = await import('@griddep/insight/what-if');
  const named = options.fromMachine === undefined ? undefined : await resolveMachine(options.fromMachine);
  const before = named ?? (await resolveMachine(DEFAULT_MACHINE));
  const input = await resolveInput(onlySource(path, options.scenario), {
    set: parseSettings(options.set),
    check: (program) => checkProgram(program, before),
    machine: named,
    traces: { ...traceOptions(options), isUnprofiled: true },
  });
  const program = programOf(input, 'whatif');
  const traced = input.kind === 'program' ? input.traced : undefined;
  if (traced === undefined && options.replay !== undefined) refuseForOther(input.name, '--replay');
  const machine = traced?.machine ?? before;
  const changes = await changesOf(options, { program, machine });
  if (changes.length === 0)
    throw new InputError('whatif needs a change, such as --graph (`griddep whatif --help` lists them)');
  let result: WhatIf | undefined;
  const outputs = outputsOf(options, () => result as WhatIf);
  await checkOutputs(outputs, [path, options.machine, options.fromMachine]);
  result = await whatIf({
    program,
    machine,
    changes,
    observer: options.observer ?? (traced === undefined ? 'blocks' : 'events'),
    steps:
      traced === undefined || options.step !== undefined ? 1 : await stepsIn(traced.imported.traces, options.steps),
    ...(traced === undefined ? {} : { replay: await replayTime(options.replay), recording: RECORDING_TIME }),
    withRanges: options.ranges,
    simulate: async (changed, on) => {
      checkProgram(changed, on);
      return (await simulateWithProgress(changed, on, {})).timeline;
    },
  });
  if (!Number.isFinite(result.before.makespan)) throw new InputError(`${input.name}: runs nothing on a device`);
  const toldSteps = traced === undefined ? [] : await notesOfSteps(traced.imported.traces, options.steps);
  result = { ...result, notes: [...result.notes, ...notesOfTraces(traced), ...toldSteps] };
  const failure = await writeOutputs(outputs);
  const stuck = [result.before.timeline, result.after.timeline].filter((timeline) => timeline.stuck.length > 0);
  if (options.json === true) await print(`${JSON.stringify(whatIfJson(result, input.name), null, 2)}\n`);
  else if (stuck.length === 0) await print(whatIfText(result, input.name, options));
  warnOfErrors(result.before.timeline);
  warnOfErrors(result.after.timeline);
  stuck.forEach(warnOfStuck);
  if (failure !== undefined) throw failure;
  return stuck.length > 0 ? EXIT.input : EXIT.ok;
}

/** What is not in the program because the trace does not tell it, such as waits between streams. */
function notesOfTraces(traced: TracedProgram | undefined): string[] {
  const unknown = traced?.imported.findings.filter(({ kind }) => kind === 'unknown') ?? [];
  const total = unknown.reduce((sum, { count }) => sum + count, 0);
  return total === 0 ? [] : [`not told by the trace: ${total} things; griddep run --explain lists them`];
}

/** Where what was told of steps is not what the trace looks like. */
async function notesOfSteps(traces: readonly Trace[], told: number | undefined): Promise<string[]> {
  if (told === undefined) return [];
  const { stepsOf } = await import('@griddep/importers');
  const seen = Math.max(1, ...traces.map((trace) => stepsOf(trace).length));
  return seen === 1 || seen === told
    ? []
    : [`taken for ${told} steps, as told; where the host waits or pauses the trace looks like ${seen}`];
}

async function stepsIn(traces: readonly Trace[], count: number | undefined): Promise<number> {
  const { stepsOf } = await import('@griddep/importers');
  return Math.max(1, ...traces.map((trace) => stepsOf(trace, count).length));
}

const RECORDING_TIME = {
  what: 'time of the framework before it records the event behind the work',
  unit: 'us' as const,
  ...RECORDING,
  source: 'measured with PyTorch: a call from Python into the framework',
};

async function replayTime(given: string | undefined) {
  const time = given === undefined ? undefined : (await durationOf(given, '--replay')) / 1e6;
  return {
    what: 'time of the framework before each launch of a graph',
    unit: 'us' as const,
    ...(time === undefined ? REPLAY : { value: time, low: time, high: time }),
    source: time === undefined ? 'measured with PyTorch: a call from Python into the framework' : 'given by --replay',
  };
}

function outputsOf({ saveBefore, saveAfter }: WhatIfCommandOptions, result: () => WhatIf): OutputFile[] {
  const outputs: OutputFile[] = [];
  const add = (option: string, path: string | undefined, of: 'before' | 'after') => {
    if (path === undefined) return;
    outputs.push({
      option,
      path,
      content: async () => (await import('@griddep/timeline')).writeTimeline(result()[of].timeline),
    });
  };
  add('--save-before', saveBefore, 'before');
  add('--save-after', saveAfter, 'after');
  return outputs;
}
