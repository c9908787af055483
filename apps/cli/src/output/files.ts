import { realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { fileError, InputError } from '../input/input-error.ts';

/** A file that a command is to write. */
export interface OutputFile {
  /** The option that asked for it, for messages. */
  readonly option: string;
  readonly path: string;
  /** Makes its content, when it is time to write. */
  readonly content: () => string | Uint8Array | Promise<string | Uint8Array>;
}

/**
 * Refuses outputs that cannot be written, or that would replace an input, before the work for them is done.
 *
 * @throws InputError
 */
export async function checkOutputs(
  outputs: readonly Pick<OutputFile, 'option' | 'path'>[],
  inputs: readonly (string | undefined)[] = [],
): Promise<void> {
  const read = await Promise.all(inputs.filter((path) => path !== undefined).map(placeOf));
  const seen = new Map<string, string>();
  for (const { option, path } of outputs) {
    const where = `${option} ${path}`;
    if (path === '') throw new InputError(`${option}: the name of the file is empty`);
    const place = await placeOf(path);
    const other = seen.get(place);
    if (other !== undefined) throw new InputError(`${where}: is the output of ${other} too`);
    if (read.includes(place)) throw new InputError(`${where}: is an input, which would be lost`);
    seen.set(place, option);
    if ((await kindOf(path)) === 'folder') throw new InputError(`${where}: is a folder, not a file`);
    const folder = dirname(path);
    const kind = await kindOf(folder);
    if (kind === 'none') throw new InputError(`${where}: the folder ${folder} does not exist`);
    if (kind !== 'folder') throw new InputError(`${where}: ${folder} is not a folder`);
  }
}

/** Writes files, each whole or not at all, packed if it is named .gz. Throws InputError that names the first that failed. */
export async function writeOutputs(outputs: readonly OutputFile[]): Promise<void> {
  for (const { option, path, content } of outputs) await writeOutput(path, await content(), option);
}

async function writeOutput(path: string, content: string | Uint8Array, option: string): Promise<void> {
  const bytes =
    typeof content === 'string'
      ? Buffer.from(content)
      : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const data = /\.gz$/i.test(path) ? gzipSync(bytes) : bytes;
  try {
    if ((await kindOf(path)) === 'special') {
      // A device or pipe must be written to, not replaced.
      await writeFile(path, data);
      return;
    }
    const { default: writeFileAtomic } = await import('write-file-atomic');
    await writeFileAtomic(path, data);
  } catch (error) {
    throw fileError(`${option} ${path}`, error, 'cannot be written: ');
  }
}

/** The file that a path leads to, through links where it exists. */
async function placeOf(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}

async function kindOf(path: string): Promise<'file' | 'folder' | 'special' | 'none'> {
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) return 'folder';
    return stats.isFile() ? 'file' : 'special';
  } catch {
    return 'none';
  }
}
