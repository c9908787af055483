import { printableLine } from './printable.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

/** Rows of text under titles, columns aligned, two spaces between them. */
export function renderColumns(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const all = [columns.map(({ title }) => title), ...rows.map((row) => row.map(printableLine))];
  const widths = columns.map((_, i) => all.reduce((most, row) => Math.max(most, row[i]?.length ?? 0), 0));
  const lines = all.map((row) =>
    columns
      .map(({ align }, i) => {
        const cell = row[i] ?? '';
        return align === 'right' ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0);
      })
      .join('  ')
      .trimEnd(),
  );
  lines.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('  '));
  return `${lines.join('\n')}\n`;
}
