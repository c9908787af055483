import type { Trace } from '@griddep/importers';
import type { Machine } from '@griddep/machine';
import type { Program } from '@griddep/program';
import type { Timeline } from '@griddep/timeline';
import { InputError } from './input-error.ts';
import { isModulePath, programFromModule } from './module.ts';
import { withPtxBodies } from './ptx-bodies.ts';
import { readBytes, shown } from './read-bytes.ts';
import { schemaName } from './schema-name.ts';
import type { Settings } from './settings.ts';
import { traceIn, tracesAt } from './trace-files.ts';
import { givenForTraces, refuseForOther } from './trace-options.ts';
import { programOfTraces, type TracedProgram, type TraceOptions } from './traced.ts';

/** What an input turned out to be; `name` is how messages call it. */
export type Input =
  | {
      readonly kind: 'program';
      readonly name: string;
      readonly program: Program;
      /** Where it was made of traces. */
      readonly traced?: TracedProgram;
    }
  | { readonly kind: 'timeline'; readonly name: string; readonly timeline: Timeline };

/** Where an input comes from: a path (`-` is standard input) or a scenario's name. */
export type InputSource = { readonly path: string } | { readonly scenario: string };

export interface ResolveOptions {
  readonly set?: Settings;
  /** Refuses programs that the machine cannot run, with ProgramError; its error gets the place in the file. */
  readonly check?: (program: Program) => void;
  /** Parameters and options of traces are for another input, if this one takes none; else they are refused. */
  readonly isOneOfSeveral?: boolean;
  /** The machine that the user named, which traces are to be replayed on; by default the one they were taken on. */
  readonly machine?: Machine | undefined;
  readonly traces?: TraceOptions | undefined;
}

/**
 * Turns any input into what commands work on: program files (JSON, YAML), TypeScript and JavaScript modules, saved
 * timelines, profilers' traces, scenarios, standard input.
 *
 * @throws InputError, ProgramError or TimelineFileError, with a complete message
 */
export async function resolveInput(source: InputSource, options: ResolveOptions = {}): Promise<Input> {
  const input = await anyInput(source, options);
  const isTrace = input.kind === 'program' && input.traced !== undefined;
  if (!isTrace && options.isOneOfSeveral !== true) refuseForOther(input.name, givenForTraces(options.traces ?? {}));
  return input;
}

async function anyInput(source: InputSource, options: ResolveOptions): Promise<Input> {
  const { set = {}, check } = options;
  if ('scenario' in source) return scenarioInput(source.scenario, set, check);
  const { path } = source;
  if (isModulePath(path)) {
    await readBytes(path);
    const program = await programFromModule(path, set);
    return checkedProgram(path, await withPtxBodies(program, path), check);
  }
  const traces = await tracesAt(path, options.traces ?? {});
  if (traces !== undefined) return tracedInput(path, traces, options);
  const bytes = await readBytes(path);
  const piped = path === '-' ? await traceIn(bytes, shown(path), options.traces ?? {}) : undefined;
  if (piped !== undefined) return tracedInput(path, [piped], options);
  const schema = schemaName(bytes);
  if (schema?.startsWith('griddep/timeline@')) {
    if (Object.keys(set).length > 0 && options.isOneOfSeveral !== true)
      throw new InputError(`${shown(path)}: is a timeline, --set needs a program`);
    return { kind: 'timeline', name: shown(path), timeline: await timelineOf(bytes, shown(path)) };
  }
  if (schema?.startsWith('griddep/machine@')) {
    throw new InputError(`${shown(path)}: is a machine (${schema}), not a program; pass it as --machine`);
  }
  const { readProgramBytes } = await import('@griddep/program');
  const program = readProgramBytes(bytes, { file: shown(path), set, check });
  return { kind: 'program', name: shown(path), program: await withPtxBodies(program, path) };
}

/** The program of an input. Throws InputError for a timeline, as a command does that has to run something. */
export function programOf(input: Input, command: string): Program {
  if (input.kind === 'program') return input.program;
  throw new InputError(`${input.name}: is a saved timeline; \`griddep ${command}\` needs a program`);
}

async function tracedInput(
  path: string,
  traces: readonly Trace[],
  { set = {}, machine, traces: how = {} }: ResolveOptions,
): Promise<Input> {
  const name = shown(path);
  const [setting] = Object.keys(set);
  if (setting !== undefined) throw new InputError(`${name}: --set ${setting}: a trace has no parameters`);
  const traced = await programOfTraces(traces, name, machine, how);
  return { kind: 'program', name, program: traced.imported.program, traced };
}

async function scenarioInput(name: string, set: Settings, check: ResolveOptions['check']): Promise<Input> {
  const { buildScenario, ProgramError } = await import('@griddep/program');
  const build = () => {
    try {
      return buildScenario(name, set);
    } catch (error) {
      throw error instanceof ProgramError ? new InputError(`--scenario ${name}: ${error.message}`) : error;
    }
  };
  return checkedProgram(`scenario ${name}`, build(), check);
}

/** Without a file there is no line; the path in the program tells which kernel, stream or buffer it is. */
async function checkedProgram(name: string, program: Program, check: ResolveOptions['check']): Promise<Input> {
  const { ProgramError } = await import('@griddep/program');
  try {
    check?.(program);
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    const where = error.line > 0 || error.path.length === 0 ? '' : `${error.path.join('.')}: `;
    throw new InputError(`${name}: ${where}${error.message}`);
  }
  return { kind: 'program', name, program };
}

async function timelineOf(bytes: Uint8Array, name: string): Promise<Timeline> {
  const { readTimeline, TimelineFileError } = await import('@griddep/timeline');
  const text = new TextDecoder().decode(bytes);
  try {
    return readTimeline(text);
  } catch (error) {
    if (!(error instanceof TimelineFileError)) throw error;
    throw new InputError(await withPlace(text, name, error.message));
  }
}

/** Adds line and column to a message about text that is no JSON: the reader of programs knows them. */
async function withPlace(text: string, file: string, message: string): Promise<string> {
  if (message.includes('not JSON')) {
    const { ProgramError, readProgram } = await import('@griddep/program');
    try {
      readProgram(text, { file: `${file}.json` });
    } catch (error) {
      if (error instanceof ProgramError && error.line > 0)
        return `${file}:${error.line}:${error.column}: ${error.problem}`;
    }
  }
  const [first = '', ...more] = message.replace(`${file}: `, '').split('; ');
  return `${file}: ${first}${more.length > 1 ? `; and ${more.length} more` : more.map((text) => `; ${text}`).join('')}`;
}

/** What the traces of an input were taken on; undefined for other inputs. */
export function tracedMachine(input: Awaited<ReturnType<typeof resolveInput>>): Machine | undefined {
  return input.kind === 'program' ? input.traced?.machine : undefined;
}
