import { columns, wholeNumber } from '../option-values.ts';
import type { CommandGroup } from './group.ts';

/** What comes with griddep: schemas, machines, scenarios, a demonstration. */
export const libraryCommands: CommandGroup = (add, work) => {
  add('schema [of]', 'print the JSON Schema of program, machine, timeline or sweep files').action(
    work(async () => (await import('../commands/schema.ts')).schema),
  );
  add('machines', 'list the machines and what their constants rest on')
    .option('--json', 'print JSON')
    .action(work(async () => (await import('../commands/machines.ts')).machines));
  add('machine <name>', 'print a machine as YAML, each constant with its source')
    .option('--json', 'print JSON')
    .action(work(async () => (await import('../commands/machine.ts')).machine));
  add('scenarios [name]', "list the scenarios, or one's parameters")
    .option('--json', 'print JSON')
    .action(work(async () => (await import('../commands/scenarios.ts')).scenarios));
  add('demo', 'a decode step on one H200 in four ways, beside what a real one took')
    .option('--out <folder>', 'where the picture and the trace go', 'griddep-out')
    .option('--layers <n>', 'layers of the decode step', wholeNumber, 12)
    .option('--width <n>', 'columns of the picture', columns)
    .option('--ascii', 'draw with ASCII characters only')
    .action(work(async () => (await import('../commands/demo.ts')).demo));
};
