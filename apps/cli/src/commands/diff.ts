import { compareTimelines, exceeds } from '@griddep/timeline';
import { EXIT } from '../exit-codes.ts';
import { InputError } from '../input/input-error.ts';
import { parseSettings } from '../input/settings.ts';
import { type TimelineInput, timelineOfInput } from '../input/simulated.ts';
import { allSources } from '../input/sources.ts';
import { refuseWithoutTrace, type TraceCommandOptions, traceOptions } from '../input/trace-options.ts';
import { diffJson } from '../output/diff-json.ts';
import { diffText } from '../output/diff-text.ts';
import { print } from '../output/stdout.ts';
import { warnOfPrograms, warnOfStuck } from '../output/warnings.ts';

export interface DiffOptions extends TraceCommandOptions {
  readonly scenario: readonly string[];
  readonly set: readonly string[];
  readonly setB: readonly string[];
  readonly machine?: string;
  readonly machineB?: string;
  readonly failAbove?: number;
  readonly rows: number;
  readonly stats?: boolean;
  readonly json?: boolean;
}

/** `griddep diff A B`: what changed from A to B, operation by operation, and why. */
export async function diff(a: string | undefined, b: string | undefined, options: DiffOptions): Promise<number> {
  const inputs = await bothInputs(a, b, options);
  const [before, after] = inputs;
  const comparison = compareTimelines(before.timeline, after.timeline);
  const stuck = inputs.map(({ timeline }) => timeline).filter((timeline) => timeline.stuck.length > 0);
  if (options.json === true) await print(diffJson(comparison, inputs));
  else if (stuck.length === 0) await print(diffText(comparison, inputs, options));
  await warnOfPrograms(before.warnings, after.warnings);
  stuck.forEach(warnOfStuck);
  if (stuck.length > 0) return EXIT.input;
  return options.failAbove !== undefined && exceeds(comparison, options.failAbove) ? EXIT.exceeded : EXIT.ok;
}

async function bothInputs(
  a: string | undefined,
  b: string | undefined,
  options: DiffOptions,
): Promise<[TimelineInput, TimelineInput]> {
  const sources = allSources([a, b], options.scenario);
  const isVaried = options.setB.length > 0 || options.machineB !== undefined;
  const [first, second = isVaried ? first : undefined] = sources;
  if (first === undefined || second === undefined) {
    throw new InputError('diff needs two inputs, or one with --set-b or --machine-b to say how B differs');
  }
  if (sources.length > 2) throw new InputError(`diff compares two inputs, got ${sources.length}`);
  if (a === '-' && b === '-') throw new InputError('standard input (-) can be one of the two inputs only');
  const { machine, machineB = machine } = options;
  const set = parseSettings(options.set);
  const setB = { ...set, ...parseSettings(options.setB) };
  const traces = traceOptions(options);
  const pair: [TimelineInput, TimelineInput] = [
    await timelineOfInput(first, { set, machine, traces, isOneOfSeveral: true }),
    await timelineOfInput(second, { set: setB, machine: machineB, traces, isOneOfSeveral: true }),
  ];
  refuseWithoutTrace(
    traces,
    pair.map(({ imported }) => imported !== undefined),
  );
  return pair;
}
