import { createReadStream, type Stats } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { nearestName } from '@griddep/machine';
import { fileError, InputError, isSystemError } from './input-error.ts';

/** Standard input's name in messages. */
const STDIN = '<stdin>';
/** Largest input in bytes; JavaScript's longest text is near it. */
const MOST_BYTES = 511 * 2 ** 20;

/**
 * The bytes of a file, of a device or pipe up to its end, or of standard input (`-`); gzip is unpacked.
 *
 * @throws InputError that names the file, with the nearest file beside it where there is none of that name.
 */
export async function readBytes(path: string): Promise<Uint8Array> {
  const bytes = await readRaw(path);
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_BYTES });
  } catch (error) {
    throw new InputError(`${shown(path)}: cannot be unpacked as gzip: ${(error as Error).message}`);
  }
}

/** The name of an input in messages. */
export function shown(path: string): string {
  return path === '-' ? STDIN : path;
}

async function readRaw(path: string): Promise<Uint8Array> {
  if (path === '-') return readToEnd(process.stdin, STDIN);
  const stats = await statInput(path);
  if (stats.isDirectory()) throw new InputError(`${path}: is a folder, not a file`);
  try {
    if (!stats.isFile()) return await readToEnd(createReadStream(path), path);
    if (stats.size > MOST_BYTES) throw tooLarge(path);
    return await readFile(path);
  } catch (error) {
    throw isSystemError(error) ? fileError(path, error) : error;
  }
}

/** What stands at a path. Throws InputError if nothing does. */
export async function statInput(path: string): Promise<Stats> {
  try {
    return await stat(path);
  } catch (error) {
    const problem = fileError(path, error);
    const nearest = (error as NodeJS.ErrnoException).code === 'ENOENT' ? await nearestFile(path) : undefined;
    if (nearest === undefined) throw problem;
    throw new InputError(`${problem.message} (did you mean "${nearest}"?)`);
  }
}

async function nearestFile(path: string): Promise<string | undefined> {
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => []);
  const nearest = nearestName(basename(path), names);
  return nearest === undefined ? undefined : path.slice(0, path.length - basename(path).length) + nearest;
}

async function readToEnd(stream: Readable, name: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw tooLarge(name);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(name: string): InputError {
  return new InputError(`${name}: is larger than ${MOST_BYTES / 2 ** 20} MiB, the most that is read`);
}
