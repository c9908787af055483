import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CaseGroup } from '@griddep/hardware';
import { warn } from '../output/stdout.ts';
import { InputError } from './input-error.ts';
import { readBytes, shown, statInput } from './read-bytes.ts';
import { schemaName } from './schema-name.ts';

const CASE_FILE = /\.json(\.gz)?$/i;

/** Files of measured cases, before they are read. */
export interface CaseFiles {
  /** All of them, which no output may replace. */
  readonly paths: readonly string[];
  /** Reads them, a group a file. Throws InputError, also if there is no case at all. */
  readonly read: () => Promise<CaseGroup[]>;
}

/** The measured cases at some paths, or those that come with the package where there are none. Throws InputError. */
export async function casesOrCarried(paths: readonly string[]): Promise<CaseGroup[]> {
  return (await caseFiles(paths)).read();
}

/**
 * The files of measured cases at some paths, and all JSON files in folders among them and below, in order of name, each
 * once; those that come with the package where there are no paths.
 *
 * @throws InputError
 */
export async function caseFiles(paths: readonly string[]): Promise<CaseFiles> {
  if (paths.length === 0) {
    const { CARRIED_FILES, CARRIED_SEVERAL_DEVICES, carriedCases, carriedFile } = await import(
      '@griddep/hardware/cases'
    );
    const files = [...CARRIED_FILES, ...CARRIED_SEVERAL_DEVICES].map((name) => fileURLToPath(carriedFile(name)));
    return { paths: files, read: async () => carriedCases() };
  }
  const files: FoundFile[] = [];
  for (const path of paths) files.push(...(await filesAt(path)));
  const once = await withoutRepeated(files);
  return { paths: once.map(({ path }) => path), read: () => readAll(once, paths) };
}

interface FoundFile {
  readonly path: string;
  /** It was found in a folder, not named by the user. */
  readonly found: boolean;
}

async function filesAt(path: string): Promise<FoundFile[]> {
  if (path === '-' || !(await statInput(path)).isDirectory()) return [{ path, found: false }];
  const files = await filesBelow(path, new Set());
  if (files.length === 0) throw new InputError(`${path}: the folder holds no .json files of measured cases`);
  return files.sort().map((file) => ({ path: file, found: true }));
}

/** @param seen folders that were gone through: links may lead back to them */
async function filesBelow(folder: string, seen: Set<string>): Promise<string[]> {
  const place = await realpath(folder);
  if (seen.has(place)) return [];
  seen.add(place);
  const files: string[] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const stats = await stat(path).catch(() => undefined);
    if (stats?.isDirectory() === true) files.push(...(await filesBelow(path, seen)));
    else if (CASE_FILE.test(name) && stats?.isFile() === true) files.push(path);
    else if (CASE_FILE.test(name) && stats === undefined) warn(`${path}: passed over: a link that leads nowhere`);
  }
  return files;
}

async function withoutRepeated(files: readonly FoundFile[]): Promise<FoundFile[]> {
  const seen = new Map<string, string>();
  const once: FoundFile[] = [];
  for (const file of files) {
    const { path } = file;
    const place = path === '-' ? path : await realpath(path).catch(() => path);
    const before = seen.get(place);
    if (before === undefined) once.push(file);
    else warn(`${shown(path)}: counted once${before === path ? '' : `, as ${before}`}`);
    if (before === undefined) seen.set(place, path);
  }
  return once;
}

async function readAll(files: readonly FoundFile[], paths: readonly string[]): Promise<CaseGroup[]> {
  const groups: CaseGroup[] = [];
  for (const file of files) {
    const group = await readCaseFile(file);
    if (group !== undefined) groups.push(group);
  }
  if (groups.every(({ cases }) => cases.length === 0)) throw new InputError(`${paths.join(', ')}: no cases`);
  return groups;
}

/** The cases of a file; undefined for a profile that lies in a folder of them. */
async function readCaseFile({ path, found }: FoundFile): Promise<CaseGroup | undefined> {
  const file = shown(path);
  const bytes = await readBytes(path);
  const schema = schemaName(bytes);
  if (found && schema?.startsWith('griddep/profile@') === true) {
    warn(`${file}: passed over: is a ${schema}, not measured cases`);
    return undefined;
  }
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
