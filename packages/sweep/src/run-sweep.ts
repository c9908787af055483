import type { Sweep } from './file/sweep.ts';
import type { Point } from './job/job.ts';
import { minimise } from './minimise.ts';
import { pointsOf } from './points.ts';
import type { Finished, RunControl, Runs } from './runs.ts';
import { sensitivityPoints } from './sensitivity/points.ts';
import { type Row, Store } from './store/store.ts';
import { VERSION } from './version.ts';

export interface SweepProgress {
  /** Points done, also those that a file already had, of all. */
  readonly done: number;
  readonly total: number;
  readonly failed: number;
  /** Runs a second since the start, of this process. */
  readonly rate: number;
  /** Seconds left at that rate; undefined before the first is done. */
  readonly left: number | undefined;
}

export interface RunSweepOptions extends RunControl {
  /** The SQLite file of the results. */
  readonly output: string;
  readonly resume?: boolean;
  readonly onProgress?: (progress: SweepProgress) => void;
}

export interface SweepResult {
  readonly rows: readonly Row[];
  /** Runs of this process; the others were in the file. */
  readonly ran: number;
  readonly isComplete: boolean;
}

/**
 * Runs what a sweep asks for and the results file does not hold yet.
 *
 * @throws SweepError where the file cannot be used, or a simulation breaks; what is done until then is in the file
 */
export async function runSweep(sweep: Sweep, runs: Runs, options: RunSweepOptions): Promise<SweepResult> {
  const { output, resume = false, onProgress = () => {}, ...control } = options;
  const seed = sweep.sensitivity?.seed ?? sweep.sample.seed;
  const store = Store.open(output, { version: VERSION, seed, record: sweep.recorded }, { resume });
  try {
    store.describe(describing(sweep));
    const counter = new Counter(onProgress);
    const runAll = async (points: readonly Point[]) => {
      const missing = store.missing(points);
      counter.begin(points.length, points.length - missing.length);
      const tell = (finished: Finished) => {
        store.add(finished);
        counter.add('error' in finished.outcome);
      };
      await runs.run(missing, tell, control);
      store.flush();
    };
    if (sweep.minimise !== undefined)
      await minimise(sweep, sweep.minimise, { runAll, rows: () => store.rows(), control });
    else if (sweep.sensitivity !== undefined) await runAll(await sensitivityPoints(sweep, sweep.sensitivity));
    else await runAll([...pointsOf(sweep)]);
    const rows = store.rows();
    return { rows, ran: counter.ran, isComplete: control.signal?.aborted !== true };
  } finally {
    store.close();
  }
}

function describing({
  name,
  description,
  record,
  plot,
  minimise: search,
  sensitivity,
  axes,
}: Sweep): Record<string, string> {
  return {
    name,
    description,
    version: VERSION,
    record: JSON.stringify(record),
    plot: JSON.stringify(plot),
    axes: JSON.stringify(axes.map((axis) => axis.name)),
    kind: sensitivity !== undefined ? 'sensitivity' : search !== undefined ? 'minimise' : 'sweep',
  };
}

class Counter {
  readonly #tell: (progress: SweepProgress) => void;
  readonly #start = performance.now();
  #total = 0;
  #known = 0;
  #failed = 0;
  ran = 0;

  constructor(tell: (progress: SweepProgress) => void) {
    this.#tell = tell;
  }

  begin(total: number, known: number): void {
    this.#total += total;
    this.#known += known;
    this.#progress();
  }

  add(isFailed: boolean): void {
    this.ran += 1;
    if (isFailed) this.#failed += 1;
    this.#progress();
  }

  #progress(): void {
    const done = this.#known + this.ran;
    const rate = this.ran / ((performance.now() - this.#start) / 1000);
    const left = this.ran === 0 ? undefined : (this.#total - done) / rate;
    this.#tell({ done, total: this.#total, failed: this.#failed, rate, left });
  }
}
