import { stringify } from 'csv-stringify/sync';
import type { Column } from './columns.ts';

/** RFC 4180, with a line of names. Texts that a spreadsheet would take for a formula are marked as text. */
export function toCsv(columns: readonly Column[]): string {
  const count = columns[0]?.values.length ?? 0;
  const lines = Array.from({ length: count }, (_, i) => columns.map(({ values }) => values[i] ?? ''));
  return stringify(lines, {
    header: true,
    columns: columns.map(({ name }) => name),
    escape_formulas: true,
    cast: { boolean: String },
  });
}
