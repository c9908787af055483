import type { Value } from '@griddep/program';
import type { Row } from '../store/store.ts';

/** One column of a results table. */
export interface Column {
  readonly name: string;
  readonly values: readonly (Value | undefined)[];
}

/**
 * The table of a results file: parameters, what was recorded, and how each run went. `all` adds every statistic and what
 * identifies a run.
 */
export function columnsOf(rows: readonly Row[], { all = false } = {}): Column[] {
  const parameters = namesOf(rows, ({ parameters: values }) => values);
  const recorded = namesOf(rows, (row) => row.recorded).filter((name) => !parameters.includes(name));
  const taken = new Set([...parameters, ...recorded]);
  const statistics = all ? namesOf(rows, (row) => row.statistics ?? {}).filter((name) => !taken.has(name)) : [];
  const column = (name: string, value: (row: Row) => Value | undefined): Column => ({ name, values: rows.map(value) });
  const columns = [
    ...parameters.map((name) => column(name, (row) => row.parameters[name])),
    ...recorded.map((name) => column(name, (row) => row.recorded[name])),
    ...statistics.map((name) => column(name, (row) => row.statistics?.[name])),
  ];
  if (all || rows.some(({ error }) => error !== undefined)) columns.push(column('error', ({ error }) => error));
  if (!all) return columns;
  const about = ['point', 'key', 'hash', 'version', 'seed', 'duration', 'attempt'] as const;
  return [...columns, ...about.map((name) => column(name, (row) => row[name]))];
}

function namesOf(rows: readonly Row[], of: (row: Row) => Readonly<Record<string, unknown>>): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(of(row))))];
}
