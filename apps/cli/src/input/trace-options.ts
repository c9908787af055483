import type { Command } from 'commander';
import { stepNumber, wholeNumber } from '../option-values.ts';
import { InputError } from './input-error.ts';
import type { TraceOptions } from './traced.ts';

/** What a command was told about traces, as commander names it. */
export interface TraceCommandOptions {
  readonly step?: number;
  readonly steps?: number;
  readonly partial?: boolean;
  readonly assumedWaits?: boolean;
}

/** The options by which every command that takes any input takes a trace. */
export function withTraceOptions(command: Command): Command {
  return command
    .option('--step <n>', 'of a trace, only this step', stepNumber)
    .option('--steps <n>', 'of a trace that marks none: it holds n equal steps', wholeNumber)
    .option('--partial', 'of a trace that is cut or partly wrong, take what can be read')
    .option('--no-assumed-waits', 'of a trace, only the stream waits that it tells');
}

export function traceOptions({ step, steps, partial, assumedWaits }: TraceCommandOptions): TraceOptions {
  return {
    ...(step === undefined ? {} : { step }),
    ...(steps === undefined ? {} : { steps }),
    partial: partial === true,
    assumesWaits: assumedWaits !== false,
  };
}

/** The first option that only a trace can have, undefined if there is none. */
export function givenForTraces({ step, steps, partial, assumesWaits }: TraceOptions): string | undefined {
  if (step !== undefined) return '--step';
  if (steps !== undefined) return '--steps';
  if (partial === true) return '--partial';
  return assumesWaits === false ? '--no-assumed-waits' : undefined;
}

/** @throws InputError if one of several inputs has to be a trace, for an option that was given, and none is */
export function refuseWithoutTrace(options: TraceOptions, isTrace: readonly boolean[]): void {
  const given = givenForTraces(options);
  if (given === undefined || isTrace.includes(true)) return;
  const none = isTrace.length === 2 ? 'neither input is' : 'no input is';
  throw new InputError(`${given}: ${none} a trace of a profiler`);
}

/** @throws InputError for an option of traces, where the input is none */
export function refuseForOther(name: string, option: string | undefined): void {
  if (option !== undefined) throw new InputError(`${name}: is no trace of a profiler, ${option} needs one`);
}
