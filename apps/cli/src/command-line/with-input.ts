import { type Command, Option } from 'commander';
import { withTraceOptions } from '../input/trace-options.ts';
import { collect } from '../option-values.ts';

/** For help: what an input can be. */
export const INPUTS = `
An input is a program file (.json, .yaml), a TypeScript or JavaScript module that exports \`program\`, a timeline that
run --save wrote, a trace of the PyTorch profiler (.json, .json.gz) or of Nsight Systems (.sqlite), several traces of one
run with commas between them or a folder of them, or - for standard input.`;

/** The same of commands that look at the program itself. */
export const PROGRAM_INPUTS = `
An input is a program file (.json, .yaml), a TypeScript or JavaScript module that exports \`program\`, a trace of a profiler, or -
for standard input.`;

/** The options by which every command takes any input. */
export function withInput(command: Command, { many = false } = {}): Command {
  const scenario = many
    ? new Option('--scenario <name>', 'a scenario of the library as input (repeatable)').argParser(collect).default([])
    : new Option('--scenario <name>', 'a scenario of the library as input');
  return withTraceOptions(
    command
      .addOption(scenario)
      .option('--set <name=value>', "set a program's parameter (repeatable)", collect, [])
      .option('--machine <name|file>', 'the machine to simulate (default: h200, or what a trace was taken on)'),
  );
}
