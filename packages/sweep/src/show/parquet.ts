import { parquetWriteBuffer } from 'hyparquet-writer';
import type { Column } from './columns.ts';

/** An Apache Parquet file, with a type a column: numbers as doubles, truths, and texts for everything else. */
export function toParquet(columns: readonly Column[]): Uint8Array {
  const columnData = columns.map(({ name, values }) => {
    const type = typeOf(values);
    const data = values.map((value) =>
      value === undefined || value === '' ? null : type === 'STRING' ? String(value) : value,
    );
    return { name, data, type };
  });
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

function typeOf(values: Column['values']): 'DOUBLE' | 'BOOLEAN' | 'STRING' {
  const known = values.filter((value) => value !== undefined && value !== '');
  if (known.length > 0 && known.every((value) => typeof value === 'number')) return 'DOUBLE';
  return known.length > 0 && known.every((value) => typeof value === 'boolean') ? 'BOOLEAN' : 'STRING';
}
