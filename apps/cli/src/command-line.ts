import { Command } from 'commander';
import type { Add, CommandGroup, Work } from './command-line/group.ts';
import { judgementCommands } from './command-line/judgements.ts';
import { libraryCommands } from './command-line/library.ts';
import { measurementCommands } from './command-line/measurements.ts';
import { sweepCommands } from './command-line/sweeps.ts';
import { timelineCommands } from './command-line/timelines.ts';

/** In the order in which help lists them. */
const GROUPS: readonly CommandGroup[] = [
  timelineCommands,
  judgementCommands,
  measurementCommands,
  sweepCommands,
  libraryCommands,
];

/**
 * The command line: every option of every command. Work is loaded only when its command runs, so that help and version
 * need none of it.
 * @param done receives the exit code of the command that ran
 */
export function buildCommand(version: string, done: (code: number) => void): Command {
  const program = new Command('griddep')
    .description('Simulates what GPUs do with the work a CUDA program gives them, without a GPU')
    .version(version)
    .option('--debug', 'show the stack of errors')
    .helpCommand('help [command]', 'help for a command')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(oneLine(text)) });
  const add: Add = (usage, description) => program.command(usage).description(description);
  const work: Work =
    (load) =>
    async (...args) =>
      done(await (await load())(...args));
  for (const group of GROUPS) group(add, work);
  return program;
}

/** Commander puts its suggestion on a line of its own. */
function oneLine(text: string): string {
  return `griddep: ${text
    .trim()
    .replace(/^error: /, '')
    .replace(/\s*\n\s*/g, ' ')}\n`;
}
