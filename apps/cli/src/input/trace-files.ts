import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip, gunzipSync } from 'node:zlib';
import type { Trace, TraceKind } from '@griddep/importers';
import { Progress } from '../output/progress.ts';
import { fileError, InputError, isSystemError } from './input-error.ts';
import { shown } from './read-bytes.ts';

const GZIP = [0x1f, 0x8b];

export interface TraceFileOptions {
  /** Take what can be read of a file that is cut or partly wrong. */
  readonly partial?: boolean;
}

/**
 * The traces at a path: one, or where it is a folder or several paths with commas between them, those of the ranks of
 * one run. Undefined where something else than a trace stands there.
 *
 * @throws InputError or TraceError
 */
export async function tracesAt(path: string, options: TraceFileOptions): Promise<Trace[] | undefined> {
  const paths = await tracePaths(path);
  if (paths === undefined) return undefined;
  const traces: Trace[] = [];
  for (const each of paths) {
    const trace = await traceAt(each, options);
    if (trace === undefined) {
      if (paths.length === 1) return undefined;
      throw new InputError(`${each}: is no trace, as the others of ${path} are`);
    }
    traces.push(trace);
  }
  return traces.sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
}

/** The trace that some bytes are, if they are one. Throws TraceError. */
export async function traceIn(
  bytes: Uint8Array,
  name: string,
  { partial = false }: TraceFileOptions,
): Promise<Trace | undefined> {
  const { RECOGNITION_BYTES, readKineto, recogniseTrace } = await import('@griddep/importers');
  const kind = recogniseTrace(bytes.subarray(0, RECOGNITION_BYTES));
  if (kind === undefined) return undefined;
  if (typeof kind === 'object') throw new InputError(`${name}: ${kind.unreadable}`);
  if (kind === 'sqlite') throw new InputError(`${name}: is an SQLite file, which is read by its path only`);
  return readKineto([bytes], { file: name, partial });
}

async function tracePaths(path: string): Promise<string[] | undefined> {
  if (path === '-') return undefined;
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined) return path.includes(',') ? path.split(',').map((each) => each.trim()) : undefined;
  if (!stats.isDirectory()) return stats.isFile() ? [path] : undefined;
  const names = (await readdir(path)).filter((name) => /\.(json|json\.gz|sqlite)$/i.test(name)).sort();
  return names.length === 0 ? undefined : names.map((name) => join(path, name));
}

async function traceAt(path: string, { partial = false }: TraceFileOptions): Promise<Trace | undefined> {
  const { RECOGNITION_BYTES, readKineto, recogniseTrace } = await import('@griddep/importers');
  try {
    const { head, isZipped } = await readHead(path, RECOGNITION_BYTES);
    const kind: TraceKind | undefined = recogniseTrace(head, path);
    if (kind === undefined) return undefined;
    if (typeof kind === 'object') throw new InputError(`${shown(path)}: ${kind.unreadable}`);
    const progress = await Progress.start({ format: `reading ${shown(path)}: {amount}` });
    try {
      if (kind === 'sqlite') {
        if (isZipped) throw new InputError(`${path}: is a packed SQLite file; unpack it first`);
        const { readNsys } = await import('@griddep/importers/sqlite');
        return readNsys(path, { partial, onProgress: (rows) => progress.update(rows, { amount: `${rows} rows` }) });
      }
      return await readKineto(pieces(path, isZipped), {
        file: shown(path),
        partial,
        brokenSource: brokenGzip,
        onProgress: (bytes, events) =>
          progress.update(bytes, { amount: `${Math.round(bytes / 1e6)} MB, ${events} events` }),
      });
    } finally {
      progress.stop();
    }
  } catch (error) {
    throw isSystemError(error) ? fileError(path, error) : error;
  }
}

function brokenGzip(error: unknown): string | undefined {
  if (!isSystemError(error) || error.code?.startsWith('Z_') !== true) return undefined;
  return error.code === 'Z_BUF_ERROR' ? 'the gzip is cut off' : `the gzip is damaged (${error.message})`;
}

async function readHead(path: string, bytes: number): Promise<{ head: Uint8Array; isZipped: boolean }> {
  const file = await open(path);
  try {
    const buffer = Buffer.alloc(bytes);
    const { bytesRead } = await file.read(buffer, 0, bytes, 0);
    const raw = buffer.subarray(0, bytesRead);
    if (raw[0] !== GZIP[0] || raw[1] !== GZIP[1]) return { head: raw, isZipped: false };
    return { head: unpackedHead(raw), isZipped: true };
  } finally {
    await file.close();
  }
}

/** What the first bytes of a gzip file unpack to; they end in the middle of it. */
function unpackedHead(raw: Buffer): Uint8Array {
  const Z_SYNC_FLUSH = 2;
  try {
    return gunzipSync(raw, { finishFlush: Z_SYNC_FLUSH });
  } catch {
    return new Uint8Array();
  }
}

/** The bytes of a file, unpacked, as they come. A file that is cut ends early, with an error of zlib's. */
async function* pieces(path: string, isZipped: boolean): AsyncGenerator<Uint8Array> {
  const file = createReadStream(path, { highWaterMark: 1 << 20 });
  if (!isZipped) {
    yield* file as AsyncIterable<Uint8Array>;
    return;
  }
  const unpacked = createGunzip({ chunkSize: 1 << 20 });
  file.on('error', (error) => unpacked.destroy(error));
  yield* file.pipe(unpacked) as AsyncIterable<Uint8Array>;
}
