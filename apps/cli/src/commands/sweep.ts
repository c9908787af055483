import { nearestName } from '@griddep/machine';
import {
  defaultThreads,
  LocalRuns,
  type Row,
  type Runs,
  runSweep,
  type Sweep,
  type SweepProgress,
  shippedSweeps,
} from '@griddep/sweep';
import { EXIT } from '../exit-codes.ts';
import { InputError } from '../input/input-error.ts';
import { parseSettings } from '../input/settings.ts';
import { sweepOfInput } from '../input/sweep-file.ts';
import { Progress } from '../output/progress.ts';
import { print, warn } from '../output/stdout.ts';
import { listText, resultsText } from '../output/sweep-text.ts';

export interface SweepCommandOptions {
  readonly output?: string;
  readonly resume?: boolean;
  readonly threads?: number;
  readonly queue?: string;
  readonly input?: string;
  readonly scenario?: string;
  readonly set: readonly string[];
  readonly machine?: string;
  readonly minimise?: string;
  readonly rows: number;
  readonly json?: boolean;
}

/** `griddep sweep [SWEEP]`: many runs into one file. */
export async function sweep(nameOrFile: string | undefined, options: SweepCommandOptions): Promise<number> {
  const { input, scenario, machine, resume = false, rows: mostRows, json = false } = options;
  const set = parseSettings(options.set);
  if (nameOrFile === undefined) {
    await print(await listText(shippedSweeps()));
    return EXIT.ok;
  }
  const what = await sweepOfInput(nameOrFile, { input, scenario, set, machine });
  if (options.minimise !== undefined) checkMeasure(what, options.minimise);
  const output = options.output ?? `${what.name}.sqlite`;
  const runs = await runsFor(what, options);
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  const progress = await Progress.start({ format: '{name}: {value} of {all}, {rate} runs/s{left}{failed}' });
  try {
    const onProgress = (now: SweepProgress) => progress.update(now.done, progressPayload(what, now));
    const { rows, ran, isComplete } = await runSweep(what, runs, { output, resume, signal: stop.signal, onProgress });
    progress.stop();
    await print(
      json
        ? `${JSON.stringify(rows, null, 2)}\n`
        : resultsText(what, rows, { mostRows, ran, output, minimise: options.minimise }),
    );
    warnOfFailures(rows);
    if (isComplete) return EXIT.ok;
    warn(`interrupted; --resume --output ${output} goes on`);
    return EXIT.interrupted;
  } finally {
    progress.stop();
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    await runs.close();
  }
}

function checkMeasure({ measures }: Sweep, name: string): void {
  if (measures.includes(name)) return;
  const nearest = nearestName(name, measures);
  const hint = nearest === undefined ? `; recorded are ${measures.join(', ')}` : ` (did you mean "${nearest}"?)`;
  throw new InputError(`--minimise ${name}: nothing is recorded as that${hint}`);
}

async function runsFor({ texts }: Sweep, { queue, threads }: SweepCommandOptions): Promise<Runs> {
  if (queue === undefined) return new LocalRuns(threads ?? defaultThreads(), texts);
  if (threads !== undefined) throw new InputError('--threads is for runs of this process; give it to griddep worker');
  const { QueueRuns } = await import('@griddep/sweep/queue');
  return QueueRuns.connect(queue, texts, { password: process.env.GRIDDEP_REDIS_PASSWORD, warn });
}

function progressPayload(
  { name }: Sweep,
  { total, rate, left, failed }: SweepProgress,
): Record<string, string | number> {
  return {
    name,
    all: total,
    rate: rate.toFixed(rate < 10 ? 1 : 0),
    left: left === undefined ? '' : `, ${duration(left)} left`,
    failed: failed === 0 ? '' : `, ${failed} failed`,
  };
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

function warnOfFailures(rows: readonly Row[]): void {
  const failed = rows.filter(({ error }) => error !== undefined);
  const [first] = failed;
  if (first === undefined) return;
  warn(`${failed.length} of ${rows.length} runs cannot be; the first: ${first.error}`);
}
