import type { Row } from '../store/store.ts';

/** What one constant's spread does to a value. */
export interface Effect {
  readonly constant: string;
  /** The value with the constant at the lower and at the upper end of its spread. */
  readonly low: number;
  readonly high: number;
}

export interface SensitivitySummary {
  /** The value as the machine is. */
  readonly value: number;
  /** Of each constant, the largest effect first. */
  readonly effects: readonly Effect[];
  /** Between which 90 % of the samples of all constants lie; undefined without samples. */
  readonly interval: readonly [number, number] | undefined;
}

/** What the rows of a sensitivity say about one statistic, `makespan` say; undefined if the rows are of something else. */
export function sensitivitySummary(rows: readonly Row[], of = 'makespan'): SensitivitySummary | undefined {
  const measureOf = (row: Row | undefined) => Number(row?.recorded[of] ?? row?.statistics?.[of]);
  const base = rows.find(({ parameters }) => parameters.constant === 'none');
  if (base === undefined) return undefined;
  const value = measureOf(base);
  const ends = new Map<string, { low: number; high: number }>();
  const samples: number[] = [];
  for (const row of rows) {
    const { constant, at } = row.parameters;
    if (row.error !== undefined || constant === 'none') continue;
    if (constant === 'all') samples.push(measureOf(row));
    else
      ends.set(String(constant), {
        low: value,
        high: value,
        ...ends.get(String(constant)),
        [String(at)]: measureOf(row),
      });
  }
  const effects = [...ends].map(([constant, { low, high }]) => ({ constant, low, high }));
  effects.sort((a, b) => reach(b, value) - reach(a, value) || (a.constant < b.constant ? -1 : 1));
  samples.sort((a, b) => a - b);
  return {
    value,
    effects,
    interval: samples.length === 0 ? undefined : [quantile(samples, 0.05), quantile(samples, 0.95)],
  };
}

function reach({ low, high }: Effect, value: number): number {
  return Math.max(low, high, value) - Math.min(low, high, value);
}

/** Of sorted numbers, between the two nearest. */
function quantile(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1);
  const below = sorted[Math.floor(at)] as number;
  return below + (at - Math.floor(at)) * ((sorted[Math.ceil(at)] as number) - below);
}
