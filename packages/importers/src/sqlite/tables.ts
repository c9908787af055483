import type { Database } from 'node-sqlite3-wasm';
import { TraceError } from '../trace-error.ts';

type Value = number | bigint | string | Uint8Array | null;

/** A row; columns that the schema lacks are undefined. */
export type Row = Readonly<Record<string, Value | undefined>>;

/** The tables of an export, whose columns differ by schema version. */
export class Tables {
  readonly #database: Database;
  readonly #file: string;
  readonly #names: ReadonlySet<string>;

  constructor(database: Database, file: string) {
    this.#database = database;
    this.#file = file;
    const rows = database.all("select name from sqlite_master where type in ('table', 'view')");
    this.#names = new Set(rows.map((row) => String((row as Row).name)));
  }

  has(table: string): boolean {
    return this.#names.has(table);
  }

  /** Any table whose name is one of the profiler's. */
  get isExport(): boolean {
    return [...this.#names].some((name) => name.startsWith('CUPTI_ACTIVITY_KIND_') || name === 'StringIds');
  }

  /**
   * Rows of a table in an order; none where it is missing.
   * @param required columns without which its rows mean nothing
   * @throws TraceError where one of them is missing
   */
  *rows(table: string, required: readonly string[] = [], order = 'rowid'): Generator<Row> {
    if (!this.has(table)) return;
    const present = new Set(
      this.#database.all(`pragma table_info("${table}")`).map((row) => String((row as Row).name)),
    );
    const missing = required.filter((column) => !present.has(column));
    if (missing.length > 0)
      throw new TraceError(`${this.#file}: table ${table} lacks the column ${missing.join(', ')}`);
    const statement = this.#database.prepare(`select * from "${table}" order by ${order}`);
    try {
      for (const row of statement.iterate()) yield row as Row;
    } finally {
      statement.finalize();
    }
  }
}

/** A whole number of a column; `absent` where there is none. */
export function whole(value: Value | undefined, absent = 0): number {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : absent;
}
