import { Option } from 'commander';
import { collect, countOrNone, independentNames, wholeNumber } from '../option-values.ts';
import type { CommandGroup } from './group.ts';
import { PROGRAM_INPUTS, withInput } from './with-input.ts';

const CHECK_NOTES = `${PROGRAM_INPUTS}
Readings: the documented contract; an H200's completion in order (what it hides is left out); strict, that a wait
publishes only what was written before the trigger.

Exit status: 0, 1 when something unsafe was found (lint and what is unknown count with --fail-on any), 2 for bad input.`;

const EXPLORE_NOTES = `${PROGRAM_INPUTS}
Each finding names a seed; --replay SEED shows that schedule alone.

Exit status: 0, 1 when a value is wrong, something waits for ever or a deadline is missed, 2 for bad input.`;

const WHY_NOTES = `
Names are an input and the ids of one operation or two, as \`griddep run\` lists them; with --scenario the ids alone. An
input is a program file, a TypeScript or JavaScript module, a trace of a profiler, or - for standard input.

Exit status: 0, 2 for bad input.`;

const ADVISE_NOTES = `${PROGRAM_INPUTS}

Exit status: 0, whatever was found; 2 for bad input.`;

const INDEPENDENT =
  'parameters that no earlier kernel writes, such as weights: names or indices, KERNEL:NAME, with commas (repeatable)';

const LINT_NOTES = `
A file is PTX, or - for standard input. A comment \`// griddep: independent NAME\` in a kernel says what --independent does.
Exit status: 0 clean (notes are no findings), 1 for findings, 2 for bad input.`;

/** What is wrong with programs and kernels, why they take as long as they do, and what would help. */
export const judgementCommands: CommandGroup = (add, work) => {
  withInput(
    add('check [input]', 'find races, deadlocks and what is rarely meant, by the order that a program guarantees'),
  )
    .addOption(
      new Option('--assume <reading>', 'what to judge by')
        .choices(['contract', 'hardware', 'strict'])
        .default('contract'),
    )
    .addOption(new Option('--format <format>', 'how to print').choices(['text', 'json', 'sarif']).default('text'))
    .addOption(
      new Option('--fail-on <what>', 'exit 1 on what is unsafe, or on anything found')
        .choices(['unsafe', 'any'])
        .default('unsafe'),
    )
    .option('--no-simulation', 'do not simulate one run to say what the timing of the machine makes of each race')
    .addHelpText('after', CHECK_NOTES)
    .action(work(async () => (await import('../commands/check.ts')).check));
  withInput(add('explore [input]', 'try other schedules that the contract allows, for wrong values and deadlocks'))
    .option('--bound <n>', 'schedules tried in turn', wholeNumber, 10_000)
    .option('--random <n>', 'schedules drawn by chance beyond', countOrNone, 100)
    .option('--seed <n>', 'of the first of these', countOrNone, 1)
    .option('--replay <seed>', 'only the schedule of a finding')
    .option('--deadline <time>', 'find runs that end later, from the start of the program, such as 500us')
    .option('--pause <time>', 'with --deadline: how long the host may be held up before a call', '10us')
    .option('--no-shrink', 'do not look for the fewest calls that show a finding')
    .option('--json', 'print one JSON object')
    .addHelpText('after', EXPLORE_NOTES)
    .action(work(async () => (await import('../commands/explore.ts')).explore));
  withInput(
    add('why [names...]', 'why an operation began when it did, or two did not overlap: INPUT OPERATION [OTHER]'),
  )
    .option('--json', 'print one JSON object; times in ns')
    .addHelpText('after', WHY_NOTES)
    .action(work(async () => (await import('../commands/why.ts')).why));
  withInput(add('advise [input]', 'what would make a program faster, and what would not: each change simulated'))
    .option('--from <operation>', 'judge from the end of an operation, such as one that holds all work back')
    .option(
      '--preamble <kernel=share>',
      'so much of a block needs no earlier kernel, such as gemm=40% (repeatable)',
      collect,
      [],
    )
    .option('--max-events <n>', 'give up a simulation after this many events', wholeNumber)
    .option('--json', 'print one JSON object; times in ns')
    .addHelpText('after', ADVISE_NOTES)
    .action(work(async () => (await import('../commands/advise.ts')).advise));
  add('lint [files...]', 'where the two PDL instructions stand among the memory accesses of PTX kernels')
    .option('--independent <parameters>', INDEPENDENT, independentNames, [])
    .option('--expect-pdl', 'the kernels are launched with programmatic stream serialisation: each must wait')
    .addOption(
      new Option('--assume <reading>', 'strict: a wait publishes only what was written before the trigger')
        .choices(['contract', 'strict'])
        .default('contract'),
    )
    .addOption(new Option('--format <format>', 'how to print').choices(['text', 'json', 'sarif']).default('text'))
    .addHelpText('after', LINT_NOTES)
    .action(work(async () => (await import('../commands/lint.ts')).lint));
};
