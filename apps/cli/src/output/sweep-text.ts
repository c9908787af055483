import { bestOf, type Row, type Sweep, sensitivitySummary } from '@griddep/sweep';
import { columnsOf, toTable } from '@griddep/sweep/show';
import { InputError } from '../input/input-error.ts';
import { sweepOfInput } from '../input/sweep-file.ts';
import { percent, us } from './number-format.ts';

export interface ResultsTextOptions {
  readonly mostRows: number;
  readonly ran: number;
  readonly output: string;
  readonly minimise: string | undefined;
}

/** The sweeps that ship, with what each is about. */
export async function listText(names: readonly string[]): Promise<string> {
  const width = Math.max(...names.map((name) => name.length));
  const lines = await Promise.all(
    names.map(async (name) => {
      const { description } = await sweepOfInput(name, { set: {}, machine: undefined });
      return `${name.padEnd(width)}  ${description.replace(/\s+/g, ' ')}`;
    }),
  );
  return `${lines.join('\n')}\n`;
}

/** What came of a sweep. */
export function resultsText(sweep: Sweep, rows: readonly Row[], options: ResultsTextOptions): string {
  const { mostRows, ran, output, minimise } = options;
  const parts = [toTable(columnsOf(rows), mostRows)];
  if (rows.length > mostRows) parts.push(`and ${rows.length - mostRows} more rows (griddep sweep show ${output})\n`);
  if (sweep.sensitivity !== undefined) parts.push(sensitivityText(rows, sweep.record[0]?.name));
  const best =
    minimise !== undefined
      ? leastOf(rows, minimise)
      : sweep.minimise === undefined
        ? undefined
        : bestOf(rows, sweep.minimise);
  if (best !== undefined) parts.push(`least: ${pairs(best.parameters)}: ${pairs(best.recorded)}\n`);
  parts.push(`${rows.length} runs in ${output}, ${ran} of them now\n`);
  return parts.join('');
}

/** Which constants move the answer, and between which bounds it lies. */
export function sensitivityText(rows: readonly Row[], of = 'makespan'): string {
  const summary = sensitivitySummary(rows, of);
  if (summary === undefined) return '';
  const { value, effects, interval } = summary;
  const share = (other: number) => percent(other / value - 1, 2);
  const lines = effects
    .slice(0, 10)
    .map(
      ({ constant, low, high }) =>
        `  ${constant}: ${share(low)} at the low end of its spread, ${share(high)} at the high`,
    );
  const bounds =
    interval === undefined
      ? ''
      : `; 90 % of samples of all constants lie from ${shown(of, interval[0])} to ${shown(of, interval[1])}`;
  return `${of} ${shown(of, value)}${bounds}\n${lines.join('\n')}\n`;
}

function shown(of: string, value: number): string {
  return of === 'makespan' ? `${us(value)} us` : String(Number(value.toPrecision(5)));
}

function leastOf(rows: readonly Row[], what: string): Row | undefined {
  let best: Row | undefined;
  const value = (row: Row) => Number(row.recorded[what] ?? row.statistics?.[what]);
  for (const row of rows) {
    if (Number.isFinite(value(row)) && (best === undefined || value(row) < value(best))) best = row;
  }
  if (best === undefined && rows.some(({ error }) => error === undefined))
    throw new InputError(`--minimise ${what}: is a number of no run`);
  return best;
}

function pairs(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${typeof value === 'number' ? Number(value.toPrecision(6)) : value}`)
    .join(', ');
}
