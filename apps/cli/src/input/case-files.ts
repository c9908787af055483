import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CaseGroup } from '@griddep/hardware';
import { InputError } from './input-error.ts';
import { readBytes, shown, statInput } from './read-bytes.ts';
import { schemaName } from './schema-name.ts';

const CASE_FILE = /\.json(\.gz)?$/i;

/**
 * The measured cases of files, and of all JSON files in folders and below, in order of name; a group a file.
 *
 * @throws InputError
 */
async function readCaseFiles(paths: readonly string[]): Promise<CaseGroup[]> {
  const files: string[] = [];
  for (const path of paths) files.push(...(await filesAt(path)));
  const groups: CaseGroup[] = [];
  for (const file of files) groups.push(await readCaseFile(file));
  return groups;
}

/**
 * The cases at some paths, or those that come with the package where there are none.
 *
 * @throws InputError also if there is no case at all
 */
export async function casesOrCarried(paths: readonly string[]): Promise<CaseGroup[]> {
  if (paths.length > 0) {
    const groups = await readCaseFiles(paths);
    if (groups.every(({ cases }) => cases.length === 0)) throw new InputError(`${paths.join(', ')}: no cases`);
    return groups;
  }
  const { carriedCases } = await import('@griddep/hardware/cases');
  return carriedCases();
}

async function filesAt(path: string): Promise<string[]> {
  if (path === '-' || !(await statInput(path)).isDirectory()) return [path];
  const names = await readdir(path, { recursive: true });
  const files = names.filter((name) => CASE_FILE.test(name)).sort();
  if (files.length === 0) throw new InputError(`${path}: the folder holds no .json files of measured cases`);
  return files.map((name) => join(path, name));
}

async function readCaseFile(path: string): Promise<CaseGroup> {
  const file = shown(path);
  const bytes = await readBytes(path);
  const schema = schemaName(bytes);
  if (schema !== undefined && !schema.startsWith('griddep/case')) {
    throw new InputError(`${file}: is a ${schema} without measurements; validate needs measured cases`);
  }
  const text = new TextDecoder().decode(bytes);
  if (text.trim() === '') throw new InputError(`${file}:1:1: the file is empty`);
  const { CaseFileError, readCases } = await import('@griddep/hardware');
  try {
    return { name: file, cases: readCases(text, file) };
  } catch (error) {
    if (!(error instanceof CaseFileError)) throw error;
    throw new InputError(error.message);
  }
}
