import { type Command, Option } from 'commander';
import type { SweepShowOptions } from '../commands/sweep-show.ts';
import { collect, wholeNumber } from '../option-values.ts';
import type { CommandGroup } from './group.ts';

const QUEUE_NOTES = `
GRIDDEP_REDIS_PASSWORD holds the password, where the address should not; neither is ever printed.`;

const SWEEP_NOTES = `
Exit status: 0, also where some runs cannot be (they are in the table with what is wrong), 2 for bad input, 130 when
interrupted; --resume then goes on.
${QUEUE_NOTES}`;

/** Many runs. */
export const sweepCommands: CommandGroup = (add, work) => {
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
    .action(work(async () => (await import('../commands/sweep.ts')).sweep));
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
      work(async () => (await import('../commands/sweep-show.ts')).sweepShow)(path, withParents(options, command)),
    );
  add('worker', 'run simulations of sweeps that come over a queue, until interrupted')
    .requiredOption('--queue <url>', 'the Redis of the sweep: redis://HOST or, with TLS, rediss://HOST')
    .option('--threads <n>', 'threads that simulate (default: by cores and free memory)', wholeNumber)
    .option('--lock-seconds <n>', 'after how long without a sign of life another worker takes a run', wholeNumber, 30)
    .addHelpText('after', QUEUE_NOTES)
    .action(work(async () => (await import('../commands/worker.ts')).worker));
};

/** An option that a command and the one above it both have is taken by the upper one. */
function withParents<Options extends object>(options: Options, { parent }: Command): Options {
  const given = Object.entries(parent?.opts() ?? {}).filter(([name]) => parent?.getOptionValueSource(name) === 'cli');
  return { ...options, ...Object.fromEntries(given) };
}
