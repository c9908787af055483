import { existsSync } from 'node:fs';
import type { Value } from '@griddep/program';
import sqlite from 'node-sqlite3-wasm';
import type { Point } from '../job/job.ts';
import type { Finished } from '../runs.ts';
import { SweepError } from '../sweep-error.ts';
import { lockFile } from './lock.ts';

/** Rows that wait for the disk at most, and how long: what a process that is killed has to run again. */
const BATCH = 200;
const BATCH_MS = 200;

const TABLES = `
  create table if not exists sweep (name text primary key, value text not null);
  create table if not exists runs (
    key text primary key,
    point integer,
    parameters text not null,
    statistics text,
    recorded text,
    error text,
    hash text,
    version text not null,
    seed integer not null,
    duration real not null,
    attempt integer not null
  );
  create index if not exists runs_by_point on runs (point);`;

/** A row of a results file. Statistics in ns; `duration` in ms of wall clock. */
export interface Row {
  readonly point: number;
  readonly key: string;
  readonly parameters: Readonly<Record<string, Value>>;
  readonly statistics: Readonly<Record<string, number>> | undefined;
  /** Values of the sweep's `record`. */
  readonly recorded: Readonly<Record<string, Value>>;
  readonly error: string | undefined;
  readonly hash: string | undefined;
  readonly version: string;
  readonly seed: number;
  readonly duration: number;
  readonly attempt: number;
}

export interface StoreContext {
  readonly version: string;
  readonly seed: number;
  /** The values to record of a point; none of one that failed. */
  readonly record: (row: Pick<Row, 'parameters' | 'statistics'>) => Row['recorded'];
}

/** The results of a sweep in one SQLite file: a row a run, found by its key. */
export class Store {
  readonly path: string;
  readonly #database: sqlite.Database;
  readonly #unlock: () => void;
  readonly #context: StoreContext;
  #waiting: Finished[] = [];
  #lastFlush = performance.now();
  #hasPlaces = false;

  private constructor(path: string, database: sqlite.Database, unlock: () => void, context: StoreContext) {
    this.path = path;
    this.#database = database;
    this.#unlock = unlock;
    this.#context = context;
  }

  /**
   * Opens a results file, or makes it.
   *
   * @throws SweepError where it exists unless `resume`, is none, or another process has it
   */
  static open(path: string, context: StoreContext, { resume = false } = {}): Store {
    if (!resume && existsSync(path))
      throw new SweepError(`${path}: exists; --resume goes on with it, another --output keeps it`);
    const { database, unlock } = openDatabase(path);
    try {
      database.exec(TABLES);
    } catch (error) {
      database.close();
      unlock();
      throw asSweepError(path, error);
    }
    return new Store(path, database, unlock, context);
  }

  describe(entries: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(entries))
      this.#database.run('insert or replace into sweep values (?, ?)', [name, value]);
  }

  /**
   * Gives the rows that exist their place among the points of this sweep, and returns the points that have no row. Rows of
   * points that nobody asks for stay, without a place.
   */
  missing(points: Iterable<Point>): Point[] {
    const database = this.#database;
    const known = new Set(database.all('select key from runs').map(({ key }) => key as string));
    const missing: Point[] = [];
    const update = database.prepare('update runs set point = ?, recorded = ? where key = ?');
    database.exec('begin');
    if (!this.#hasPlaces) database.exec('update runs set point = null');
    this.#hasPlaces = true;
    for (const point of points) {
      if (!known.has(point.key)) {
        known.add(point.key);
        missing.push(point);
        continue;
      }
      const row = database.get('select statistics, point from runs where key = ?', [point.key]);
      if (row === null || row === undefined || row.point !== null) continue;
      update.run([point.index, this.#recorded(point.parameters, parse(row.statistics)), point.key]);
    }
    database.exec('commit');
    update.finalize();
    return missing;
  }

  add(finished: Finished): void {
    this.#waiting.push(finished);
    if (this.#waiting.length >= BATCH || performance.now() - this.#lastFlush > BATCH_MS) this.flush();
  }

  /** A key that is there already stays as it is: results that come twice are the same. */
  flush(): void {
    this.#lastFlush = performance.now();
    if (this.#waiting.length === 0) return;
    const insert = this.#database.prepare('insert or ignore into runs values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    this.#database.exec('begin');
    for (const { point, outcome, duration, attempt } of this.#waiting) {
      const { version, seed } = this.#context;
      const [statistics, hash, error] =
        'error' in outcome ? [undefined, null, outcome.error] : [outcome.statistics, outcome.hash, null];
      insert.run([
        point.key,
        point.index,
        JSON.stringify(point.parameters),
        statistics === undefined ? null : JSON.stringify(statistics),
        this.#recorded(point.parameters, statistics),
        error,
        hash,
        version,
        seed,
        duration,
        attempt,
      ]);
    }
    this.#database.exec('commit');
    insert.finalize();
    this.#waiting = [];
  }

  rows(): Row[] {
    this.flush();
    return readRows(this.#database);
  }

  close(): void {
    this.flush();
    closeDatabase(this.#database, this.#unlock);
  }

  #recorded(parameters: Row['parameters'], statistics: Row['statistics']): string {
    return JSON.stringify(statistics === undefined ? {} : this.#context.record({ parameters, statistics }));
  }
}

/** What a results file holds. Throws SweepError where it is none or in use. */
export function readResults(path: string): { readonly rows: Row[]; readonly sweep: Readonly<Record<string, string>> } {
  if (!existsSync(path)) throw new SweepError(`${path}: no such file or directory`);
  const { database, unlock } = openDatabase(path);
  try {
    const sweep = Object.fromEntries(
      database.all('select name, value from sweep').map(({ name, value }) => [name as string, value as string]),
    );
    return { rows: readRows(database), sweep };
  } catch (error) {
    throw asSweepError(path, error);
  } finally {
    closeDatabase(database, unlock);
  }
}

function readRows(database: sqlite.Database): Row[] {
  return database.all('select * from runs where point is not null order by point').map((row) => ({
    point: Number(row.point),
    key: row.key as string,
    parameters: JSON.parse(row.parameters as string),
    statistics: parse(row.statistics),
    recorded: parse(row.recorded) ?? {},
    error: (row.error as string | null) ?? undefined,
    hash: (row.hash as string | null) ?? undefined,
    version: row.version as string,
    seed: Number(row.seed),
    duration: Number(row.duration),
    attempt: Number(row.attempt),
  }));
}

function parse(text: unknown): Record<string, number> | undefined {
  return typeof text === 'string' ? JSON.parse(text) : undefined;
}

/**
 * The library cannot tell a journal that a killed process left from one in use, and would not roll it back. A write-ahead
 * log is read back in any case, and needs the file for one process alone.
 */
function openDatabase(path: string): { database: sqlite.Database; unlock: () => void } {
  const unlock = lockFile(path);
  let database: sqlite.Database | undefined;
  try {
    database = new sqlite.Database(path);
    database.exec('pragma locking_mode = exclusive');
    database.all('pragma journal_mode = wal');
    database.exec('pragma synchronous = normal');
    return { database, unlock };
  } catch (error) {
    database?.close();
    unlock();
    throw asSweepError(path, error);
  }
}

function closeDatabase(database: sqlite.Database, unlock: () => void): void {
  try {
    database.all('pragma journal_mode = delete');
  } finally {
    database.close();
    unlock();
  }
}

function asSweepError(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof SweepError) return error;
  return new SweepError(`${path}: is no results file of a sweep (${error.message})`);
}
