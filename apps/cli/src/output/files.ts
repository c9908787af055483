import { stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { fileError, InputError, isSystemError } from '../input/input-error.ts';
import { placeOf, tryToWrite, writeAtomically } from './atomic-write.ts';

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
  for (const { option, path } of outputs) {
    if ((await kindOf(path)) === 'special') continue;
    await tryToWrite(path).catch((error) => {
      throw unwritable(option, path, error);
    });
  }
}

/**
 * Writes files, each whole or not at all, packed if it is named .gz. What fails is returned, since a command has its result
 * to print all the same: an error that names all files that could not be written.
 */
export async function writeOutputs(outputs: readonly OutputFile[]): Promise<InputError | undefined> {
  const failures: string[] = [];
  for (const { option, path, content } of outputs) {
    const made = await content();
    try {
      await writeOutput(path, made);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      failures.push(unwritable(option, path, error).message);
    }
  }
  return failures.length === 0 ? undefined : new InputError(failures.join('; '));
}

async function writeOutput(path: string, content: string | Uint8Array): Promise<void> {
  const bytes =
    typeof content === 'string'
      ? Buffer.from(content)
      : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const data = /\.gz$/i.test(path) ? gzipSync(bytes) : bytes;
  // A device or pipe must be written to, not replaced.
  if ((await kindOf(path)) === 'special') await writeFile(path, data);
  else await writeAtomically(path, data);
}

function unwritable(option: string, path: string, error: unknown): InputError {
  return fileError(`${option} ${path}`, error, 'cannot be written: ');
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
