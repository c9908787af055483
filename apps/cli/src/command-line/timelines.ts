import type { RunOptions } from '../commands/run.ts';
import { workers } from '../input/workers.ts';
import { collect, columns, fraction, microseconds, nameList, pairOfIds, port, wholeNumber } from '../option-values.ts';
import { whatIfOptions } from '../whatif-options.ts';
import type { CommandGroup } from './group.ts';
import { INPUTS, PROGRAM_INPUTS, withInput } from './with-input.ts';

const WORKERS = 'threads: sequential (one), auto (as many as pay), a number, or per-device; all give the same timeline';

const RUN_NOTES = `${INPUTS}

Exit status: 0; 2 for bad input, a program that never ends, or a limit that was reached. CUDA errors that calls returned,
and warnings of what is legal but rarely meant, are shown on standard error and leave it 0.`;

const VIEW_NOTES = `${INPUTS}

The page is served on 127.0.0.1 until the command is interrupted. With two inputs it compares them.`;

const DIFF_NOTES = `${INPUTS}

Inputs are a and b, then those of --scenario; with one only, B is the same with --set-b or --machine-b.
Exit status: 0, 1 above --fail-above, 2 for bad input.`;

const WHATIF_NOTES = `${PROGRAM_INPUTS}

Changes are made in the order of the list above and may be combined. Kernels are named in full, without template arguments and
namespaces, or with * for any characters. Times of a trace are those without its profiler.
Exit status: 0, 2 for bad input.`;

/** What runs of programs are, to be read and looked at, alone and beside others. */
export const timelineCommands: CommandGroup = (add, work) => {
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
    .option('--explain', 'of a trace, list what it does not tell and what was assumed in its place')
    .option('--traced', "show a trace's own timeline, without simulating")
    .option('--streams <names>', 'only these streams and host threads in pictures, with commas between them', nameList)
    .option('--watch', 'run again whenever the file changes, until interrupted')
    .option('--view', 'show the run in a browser, each operation as soon as it is over, until its page is closed')
    .option('--no-open', 'with --view: print the address, and open no browser')
    .addHelpText('after', RUN_NOTES)
    .action(work(runOrWatch));
  withInput(add('view [inputs...]', 'show the timeline in a browser; two inputs side by side'), { many: true })
    .option('--blocks', 'record every block, to see SMs and blocks')
    .option('--port <n>', 'port of the page, on this machine alone (default: a free one)', port)
    .option('--no-open', 'print the address, and open no browser')
    .option('-o, --output <file>', 'write the page with everything in it, and serve nothing')
    .addHelpText('after', VIEW_NOTES)
    .action(work(async () => (await import('../commands/view.ts')).view));
  withInput(add('report [input]', 'write a page with pictures, tables and the program, which needs no scripts'))
    .requiredOption('-o, --output <file>', 'the page')
    .option('--blocks', 'record every block')
    .option('--pair <a,b>', 'two grids to draw as a textbook does, by id (default: the first that overlap)', pairOfIds)
    .addHelpText('after', INPUTS)
    .action(work(async () => (await import('../commands/report.ts')).report));
  withInput(add('diff [a] [b]', 'compare two inputs, operation by operation'), { many: true })
    .option('--set-b <name=value>', 'set a parameter of B alone (repeatable)', collect, [])
    .option('--machine-b <name|file>', 'the machine of B (default: that of A)')
    .option('--fail-above <percent>', 'exit 1 when an operation or the makespan changed by more', fraction)
    .option('--rows <n>', 'changes listed', wholeNumber, 20)
    .option('--stats', 'print the statistics of both side by side')
    .option('--json', 'print one JSON object')
    .addHelpText('after', DIFF_NOTES)
    .action(work(async () => (await import('../commands/diff.ts')).diff));
  whatIfOptions(add('whatif [input]', 'what would change, and why, if a program or its machine were different'))
    .addHelpText('after', WHATIF_NOTES)
    .action(work(async () => (await import('../commands/whatif.ts')).whatif));
};

async function runOrWatch(): Promise<(path: string | undefined, options: RunOptions) => Promise<number>> {
  const { run } = await import('../commands/run.ts');
  return async (path, options) =>
    options.watch === true ? (await import('../commands/watch.ts')).watch(path, options) : run(path, options);
}
