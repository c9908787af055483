import type { Minimise, Sweep } from './file/sweep.ts';
import type { Point } from './job/job.ts';
import { pointOf, pointsOf } from './points.ts';
import type { RunControl } from './runs.ts';
import type { Row } from './store/store.ts';

export interface MinimiseContext {
  readonly runAll: (points: readonly Point[]) => Promise<void>;
  /** All rows that have a place, in order of it. */
  readonly rows: () => readonly Row[];
  readonly control: RunControl;
}

/**
 * Successive halving: all points with a small budget, the better part of them with a larger one, and so on to the whole
 * budget. The best is the least row of the largest budget.
 *
 * Jamieson and Talwalkar, Non-stochastic best arm identification and hyperparameter optimization, 2016.
 */
export async function minimise(sweep: Sweep, how: Minimise, { runAll, rows, control }: MinimiseContext): Promise<void> {
  const { budget, of, keep } = how;
  let candidates = [...pointsOf(sweep)];
  let index = 0;
  for (const size of budgets(how)) {
    const rung = candidates.map(({ parameters, job }) =>
      pointOf(
        index++,
        { ...parameters, [budget]: size },
        { ...job, settings: { ...job.settings, [budget]: String(size) } },
      ),
    );
    await runAll(rung);
    if (control.signal?.aborted === true) return;
    const byKey = new Map(rows().map((row) => [row.key, row]));
    const valued = rung.flatMap(({ key }, i) => {
      const value = measureOf(byKey.get(key), of);
      return value === undefined ? [] : [{ value, i }];
    });
    valued.sort((a, b) => a.value - b.value || a.i - b.i);
    candidates = valued.slice(0, Math.max(1, Math.ceil(valued.length * keep))).map(({ i }) => candidates[i] as Point);
  }
}

/** Budgets from the first to the last, each larger by what is left out of the points. */
export function budgets({ from, to, keep }: Pick<Minimise, 'from' | 'to' | 'keep'>): number[] {
  const sizes: number[] = [];
  for (let size = from; size < to; size = Math.max(size + 1, Math.round(size / keep))) sizes.push(size);
  return [...sizes, to];
}

/** The least row of the largest budget; undefined where all failed. */
export function bestOf(rows: readonly Row[], { of, budget, to }: Minimise): Row | undefined {
  let best: Row | undefined;
  for (const row of rows) {
    const value = measureOf(row, of);
    if (row.parameters[budget] !== to || value === undefined) continue;
    if (best === undefined || value < (measureOf(best, of) as number)) best = row;
  }
  return best;
}

function measureOf(row: Row | undefined, of: string): number | undefined {
  const value = row?.recorded[of] ?? row?.statistics?.[of];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
