import type { Column } from './columns.ts';

const MOST_DIGITS = 6;

/** A table of text, numbers to the right. */
export function toTable(columns: readonly Column[], mostRows = Number.POSITIVE_INFINITY): string {
  const count = Math.min(mostRows, columns[0]?.values.length ?? 0);
  const cells = columns.map(({ name, values }) => [name, ...values.slice(0, count).map(cell)]);
  const widths = cells.map((texts) => Math.max(...texts.map((text) => text.length)));
  const isNumber = columns.map(({ values }) =>
    values.every((value) => value === undefined || typeof value === 'number'),
  );
  const lines = Array.from({ length: count + 1 }, (_, i) =>
    cells
      .map((texts, k) => {
        const text = texts[i] as string;
        return isNumber[k] ? text.padStart(widths[k] as number) : text.padEnd(widths[k] as number);
      })
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

function cell(value: Column['values'][number]): string {
  if (typeof value !== 'number') return value === undefined ? '' : String(value);
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(MOST_DIGITS)));
}
