import { Command, Option } from 'commander';
import type { RunOptions } from './commands/run.ts';
import type { SweepShowOptions } from './commands/sweep-show.ts';
import { workers } from './input/workers.ts';
import {
  collect,
  columns,
  countOrNone,
  fraction,
  independentNames,
  microseconds,
  nameList,
  pairOfIds,
  port,
  roundCount,
  stepNumber,
  wholeNumber,
} from './option-values.ts';
import { whatIfOptions } from './whatif-options.ts';

/** A subcommand's work: returns the exit code. */
type Action<Args extends unknown[]> = () => Promise<(...args: Args) => Promise<number>>;

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
  const add = (usage: string, description: string) => program.command(usage).description(description);
  const run =
    <Args extends unknown[]>(load: Action<Args>) =>
    async (...args: Args) =>
      done(await (await load())(...args));

  withInput(add('run [input]', 'simulate a program (or show a saved timeline)'))
    .option('--json', 'print one JSON object: operations with all instants in ns, causes, statistics, hash')
    .option('--save <file>', 'write the timeline, for other commands to read')
    .option('--svg <file>', 'write a picture')
    .option('--chrome <file>', 'write a trace for chrome://tracing and ui.perfetto.dev')
    .option('--perfetto <file>', 'write a Perfetto trace')
    .option('--blocks', 'record every block, in --save and pictures')
    .option('--stats', 'print all statistics, how the shards did, and the assumed constants')
    .option('--workers <how>', WORKERS, workers, 'auto')
    .option('--block-by-block', 'simulate every block by itself: slow, the same intervals')
    .option('--max-events <n>', 'give up after this many events, or somewhat more in several threads', wholeNumber)
    .option('--rows <n>', 'operations listed in the table', wholeNumber, 50)
    .option('--width <n>', "columns of the picture (default: the terminal's, COLUMNS where set, or 100)", columns)
    .option('--ascii', 'draw with ASCII characters only')
    .option('--from <us>', 'where pictures begin', microseconds)
    .option('--to <us>', 'where pictures end', microseconds)
    .option('--step <n>', 'of a trace, only this step', stepNumber)
    .option('--steps <n>', 'of a trace that marks none: it holds n equal steps', wholeNumber)
    .option('--explain', 'of a trace, list what it does not tell and what was assumed in its place')
    .option('--partial', 'of a trace that is cut or partly wrong, take what can be read')
    .option('--no-assumed-waits', 'of a trace, only the stream waits that it tells')
    .option('--traced', "show a trace's own timeline, without simulating")
    .option('--streams <names>', 'only these streams and host threads in pictures, with commas between them', nameList)
    .option('--watch', 'run again whenever the file changes, until interrupted')
    .option('--view', 'show the run in a browser, with where the devices are while they simulate')
    .option('--no-open', 'with --view: print the address, and open no browser')
    .addHelpText('after', RUN_NOTES)
    .action(run(runOrWatch));

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
    .addHelpText('after', CHECK_NOTES)
    .action(run(async () => (await import('./commands/check.ts')).check));

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
    .action(run(async () => (await import('./commands/explore.ts')).explore));

  withInput(
    add('why [names...]', 'why an operation began when it did, or two did not overlap: INPUT OPERATION [OTHER]'),
  )
    .option('--json', 'print one JSON object; times in ns')
    .addHelpText('after', WHY_NOTES)
    .action(run(async () => (await import('./commands/why.ts')).why));

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
    .action(run(async () => (await import('./commands/advise.ts')).advise));

  add('validate', 'compare simulated with measured cases')
    .argument('[cases...]', CASES)
    .option('--machine <name|file>', 'the machine to simulate', 'h200')
    .option('--profile <file>', PROFILE)
    .option('--other-device', OTHER_DEVICE)
    .addOption(hostOption())
    .option('--filter <regex>', 'only cases whose name matches')
    .option(
      '--fail-above <percent>',
      'exit 1 when the median makespan error is larger, such as 5%, or cases are refused',
      fraction,
    )
    .option('--worst <n>', 'list the n worst cases', wholeNumber, 10)
    .option('--json', 'print one JSON object')
    .action(run(async () => (await import('./commands/validate.ts')).validate));

  withCases(add('trust', 'how far the simulation is off by family of measured cases, and what it does not model'))
    .option('--markdown', 'print the page that docs/trust.md is')
    .option('--json', 'print one JSON object')
    .action(run(async () => (await import('./commands/trust.ts')).trust));
  withCases(add('ablate', 'what the error over measured cases becomes without each mechanism'))
    .option('--markdown', 'print the page that docs/ablation.md is')
    .option('--json', 'print one JSON object')
    .action(run(async () => (await import('./commands/ablate.ts')).ablate));
  add('calibrate', 'fit the constants of a device to measured cases of the fit part')
    .argument('[cases...]', CASES)
    .option('-o, --output <file>', 'write the profile, for --profile of other commands')
    .option('--only <names>', 'only these constants, with commas between them')
    .option('--rounds <n>', 'times to go through all constants, 1 to 100', roundCount, 2)
    .option('--base <name|file>', 'the machine to begin with', 'h200')
    .option('--plan <folder>', 'write the programs whose measurement determines a profile, and fit nothing')
    .addOption(hostOption())
    .action(run(async () => (await import('./commands/calibrate.ts')).calibrate));
  withCases(add('compare', 'simulated and measured timelines of cases one over the other, operation by operation'))
    .option('--filter <regex>', 'only cases whose name matches')
    .option('--cases <n>', 'cases shown', wholeNumber, 5)
    .option('--rows <n>', 'operations listed of each, those furthest off', wholeNumber, 30)
    .option('--svg <file>', 'write a picture')
    .option('--width <n>', "columns of the picture (default: the terminal's, COLUMNS where set, or 100)", columns)
    .option('--ascii', 'draw with ASCII characters only')
    .action(run(async () => (await import('./commands/compare.ts')).compare));
  withInput(add('export [inputs...]', 'write programs as CUDA C++ that measures them on a real GPU'), { many: true })
    .option('-o, --output <file>', 'the file (default: standard output)')
    .addOption(
      new Option('--gate <when>', 'hold the device until all calls are made: where that is possible, or never')
        .choices(['auto', 'never'])
        .default('auto'),
    )
    .addHelpText('after', EXPORT_NOTES)
    .action(run(async () => (await import('./commands/export.ts')).exportCommand));

  withInput(add('diff [a] [b]', 'compare two inputs, operation by operation'), { many: true })
    .option('--set-b <name=value>', 'set a parameter of B alone (repeatable)', collect, [])
    .option('--machine-b <name|file>', 'the machine of B (default: that of A)')
    .option('--step <n>', 'of traces, only this step', stepNumber)
    .option('--partial', 'of traces that are cut or partly wrong, take what can be read')
    .option('--fail-above <percent>', 'exit 1 when an operation or the makespan changed by more', fraction)
    .option('--rows <n>', 'changes listed', wholeNumber, 20)
    .option('--stats', 'print the statistics of both side by side')
    .option('--json', 'print one JSON object')
    .addHelpText('after', DIFF_NOTES)
    .action(run(async () => (await import('./commands/diff.ts')).diff));

  whatIfOptions(add('whatif [input]', 'what would change, and why, if a program or its machine were different'))
    .addHelpText('after', WHATIF_NOTES)
    .action(run(async () => (await import('./commands/whatif.ts')).whatif));

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
    .action(run(async () => (await import('./commands/lint.ts')).lint));
  withInput(add('view [inputs...]', 'show the timeline in a browser; two inputs side by side'), { many: true })
    .option('--blocks', 'record every block, to see SMs and blocks')
    .option('--port <n>', 'port of the page, on this machine alone (default: a free one)', port)
    .option('--no-open', 'print the address, and open no browser')
    .option('-o, --output <file>', 'write the page with everything in it, and serve nothing')
    .addHelpText('after', VIEW_NOTES)
    .action(run(async () => (await import('./commands/view.ts')).view));
  withInput(add('report [input]', 'write a page with pictures, tables and the program, which needs no scripts'))
    .requiredOption('-o, --output <file>', 'the page')
    .option('--blocks', 'record every block')
    .option('--pair <a,b>', 'two grids to draw as a textbook does, by id (default: the first that overlap)', pairOfIds)
    .addHelpText('after', INPUTS)
    .action(run(async () => (await import('./commands/report.ts')).report));

  const sweep = add('sweep', 'run a program or scenario many times, each otherwise, into one SQLite file')
    .argument('[sweep]', 'a sweep file, or the name of one that ships (default: list those)')
    .option('-o, --output <file>', 'the results (default: NAME.sqlite)')
    .option('--resume', 'go on with results that exist: what has run is not run again')
    .option('--threads <n>', 'threads that simulate (default: by cores and free memory)', wholeNumber)
    .option('--queue <url>', 'have workers at this Redis run it: redis://HOST or, with TLS, rediss://HOST')
    .option('--input <file>', "a program in place of the sweep's own")
    .option('--scenario <name>', "a scenario in place of the sweep's own")
    .option('--set <name=value>', "set a program's parameter in all runs (repeatable)", collect, [])
    .option('--machine <name|file>', "a machine in place of the sweep's own")
    .option('--minimise <what>', 'show the run with the least of this')
    .option('--rows <n>', 'runs listed in the table', wholeNumber, 20)
    .option('--json', 'print the rows as JSON')
    .addHelpText('after', SWEEP_NOTES)
    .action(run(async () => (await import('./commands/sweep.ts')).sweep));
  sweep
    .command('show')
    .description('show the results of a sweep: table, picture, files for other programs')
    .argument('<results>', 'the SQLite file')
    .option('--all', 'also all statistics, and what identifies a run')
    .option('--svg <file>', 'write a picture')
    .addOption(
      new Option('--plot <kind>', "what to draw (default: as the sweep's file says)").choices([
        'line',
        'heatmap',
        'pareto',
        'tornado',
      ]),
    )
    .option('--x <name>', 'along the picture')
    .option('--y <name>', 'up the picture')
    .option('--value <name>', 'what colours or bars show')
    .option('--series <name>', 'a line for each of its values')
    .option('--facet <name>', 'a picture for each of its values')
    .option('--csv <file>', 'write comma-separated values')
    .option('--parquet <file>', 'write Apache Parquet')
    .option('--rows <n>', 'runs listed in the table', wholeNumber, 50)
    .option('--json', 'print the rows as JSON')
    .action((path: string, options: SweepShowOptions, command: Command) =>
      run(async () => (await import('./commands/sweep-show.ts')).sweepShow)(path, withParents(options, command)),
    );
  add('worker', 'run simulations of sweeps that come over a queue, until interrupted')
    .requiredOption('--queue <url>', 'the Redis of the sweep: redis://HOST or, with TLS, rediss://HOST')
    .option('--threads <n>', 'threads that simulate (default: by cores and free memory)', wholeNumber)
    .option('--lock-seconds <n>', 'after how long without a sign of life another worker takes a run', wholeNumber, 30)
    .addHelpText('after', QUEUE_NOTES)
    .action(run(async () => (await import('./commands/worker.ts')).worker));

  add('schema [of]', 'print the JSON Schema of program, machine, timeline or sweep files').action(
    run(async () => (await import('./commands/schema.ts')).schema),
  );
  add('machines', 'list the machines and what their constants rest on')
    .option('--json', 'print JSON')
    .action(run(async () => (await import('./commands/machines.ts')).machines));
  add('machine <name>', 'print a machine as YAML, each constant with its source')
    .option('--json', 'print JSON')
    .action(run(async () => (await import('./commands/machine.ts')).machine));
  add('scenarios [name]', "list the scenarios, or one's parameters")
    .option('--json', 'print JSON')
    .action(run(async () => (await import('./commands/scenarios.ts')).scenarios));
  add('demo', 'a decode step on one H200 in four ways, beside what a real one took')
    .option('--out <folder>', 'where the picture and the trace go', 'griddep-out')
    .option('--layers <n>', 'layers of the decode step', wholeNumber, 12)
    .option('--width <n>', 'columns of the picture', columns)
    .option('--ascii', 'draw with ASCII characters only')
    .action(run(async () => (await import('./commands/demo.ts')).demo));
  return program;
}

/** An option that a command and the one above it both have is taken by the upper one. */
function withParents<Options extends object>(options: Options, { parent }: Command): Options {
  const given = Object.entries(parent?.opts() ?? {}).filter(([name]) => parent?.getOptionValueSource(name) === 'cli');
  return { ...options, ...Object.fromEntries(given) };
}

async function runOrWatch(): Promise<(path: string | undefined, options: RunOptions) => Promise<number>> {
  const { run } = await import('./commands/run.ts');
  return async (path, options) =>
    options.watch === true ? (await import('./commands/watch.ts')).watch(path, options) : run(path, options);
}

const WORKERS = 'threads: sequential (one), auto (as many as pay), a number, or per-device; all give the same timeline';

const PROFILE = "constants that griddep calibrate wrote, in place of the machine's; of a machine with the same device";
const OTHER_DEVICE = 'take a --profile that was fitted to another device';
const CASES = 'files of measured cases, or folders of them (default: those that come with griddep)';

/** The options of commands that look at all measured cases. */
function withCases(command: Command): Command {
  return command
    .argument('[cases...]', CASES)
    .option('--machine <name|file>', 'the machine to simulate', 'h200')
    .option('--profile <file>', PROFILE)
    .option('--other-device', OTHER_DEVICE)
    .addOption(hostOption());
}

/** Whose call costs cases are simulated with. */
function hostOption(): Option {
  return new Option('--host <whose>', "call costs: what they were where the cases were measured, or the machine's own")
    .choices(['environment', 'profile'])
    .default('environment');
}

/** The options by which every command takes any input. */
function withInput(command: Command, { many = false } = {}): Command {
  const scenario = many
    ? new Option('--scenario <name>', 'a scenario of the library as input (repeatable)').argParser(collect).default([])
    : new Option('--scenario <name>', 'a scenario of the library as input');
  return command
    .addOption(scenario)
    .option('--set <name=value>', "set a program's parameter (repeatable)", collect, [])
    .option('--machine <name|file>', 'the machine to simulate (default: h200, or what a trace was taken on)');
}

const INPUTS = `
An input is a program file (.json, .yaml), a TypeScript or JavaScript module that exports \`program\`, a timeline that
run --save wrote, a trace of the PyTorch profiler (.json, .json.gz) or of Nsight Systems (.sqlite), several traces of one
run with commas between them or a folder of them, or - for standard input.`;

const RUN_NOTES = `${INPUTS}

Exit status: 0; 2 for bad input, a program that never ends, or a limit that was reached. CUDA errors that calls returned,
and warnings of what is legal but rarely meant, are shown on standard error and leave it 0.`;

const EXPORT_NOTES = `
Build what it writes with nvcc (CUDA 12.4 or newer); what that runs is a file of measured cases, for validate and compare.
Several inputs make one file.`;

const CHECK_NOTES = `
An input is a program file, a TypeScript or JavaScript module that exports \`program\`, or - for standard input.
Readings: the documented contract; an H200's completion in order (what it hides is left out); strict, that a wait
publishes only what was written before the trigger.

Exit status: 0, 1 when something unsafe was found (lint and what is unknown count with --fail-on any), 2 for bad input.`;

const EXPLORE_NOTES = `
An input is a program file, a TypeScript or JavaScript module that exports \`program\`, or - for standard input.
Each finding names a seed; --replay SEED shows that schedule alone.

Exit status: 0, 1 when a value is wrong, something waits for ever or a deadline is missed, 2 for bad input.`;

const WHY_NOTES = `
Names are an input and the ids of one operation or two, as \`griddep run\` lists them; with --scenario the ids alone. An
input is a program file, a TypeScript or JavaScript module, a trace of a profiler, or - for standard input.

Exit status: 0, 2 for bad input.`;

const ADVISE_NOTES = `
An input is a program file, a TypeScript or JavaScript module, a trace of a profiler, or - for standard input.

Exit status: 0, whatever was found; 2 for bad input.`;

const VIEW_NOTES = `${INPUTS}

The page is served on 127.0.0.1 until the command is interrupted. With two inputs it compares them.`;

const QUEUE_NOTES = `
GRIDDEP_REDIS_PASSWORD holds the password, where the address should not; neither is ever printed.`;

const SWEEP_NOTES = `
Exit status: 0, also where some runs cannot be (they are in the table with what is wrong), 2 for bad input, 130 when
interrupted; --resume then goes on.
${QUEUE_NOTES}`;

const DIFF_NOTES = `${INPUTS}

Inputs are a and b, then those of --scenario; with one only, B is the same with --set-b or --machine-b.
Exit status: 0, 1 above --fail-above, 2 for bad input.`;

const WHATIF_NOTES = `${INPUTS}

Changes are made in the order of the list above and may be combined. Kernels are named in full, without template arguments and
namespaces, or with * for any characters. Times of a trace are those without its profiler.
Exit status: 0, 2 for bad input.`;

const INDEPENDENT =
  'parameters that no earlier kernel writes, such as weights: names or indices, KERNEL:NAME, with commas (repeatable)';

const LINT_NOTES = `
A file is PTX, or - for standard input. A comment \`// griddep: independent NAME\` in a kernel says what --independent does.
Exit status: 0 clean (notes are no findings), 1 for findings, 2 for bad input.`;

/** Commander puts its suggestion on a line of its own. */
function oneLine(text: string): string {
  return `griddep: ${text
    .trim()
    .replace(/^error: /, '')
    .replace(/\s*\n\s*/g, ' ')}\n`;
}
