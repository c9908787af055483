import { ProgramError } from './errors.ts';
import { JsonScan } from './json-scan.ts';
import type { Source } from './source.ts';
import { readYaml } from './yaml-source.ts';

/** Largest files read, in bytes (of bytes) or UTF-16 units (of text). */
export interface SizeLimits {
  readonly json: number;
  readonly yaml: number;
}
export const SIZE_LIMITS: SizeLimits = { json: 256 * 2 ** 20, yaml: 8 * 2 ** 20 };

/** Parses JSON (a text that begins with `{`, or a file named .json) or YAML. Throws ProgramError with the place. */
export function parseSource(text: string, file: string, limits: SizeLimits = SIZE_LIMITS): Source {
  const start = /\S/.exec(text.slice(0, 4096))?.[0];
  if (start === undefined && text.trim() === '') {
    throw new ProgramError(text === '' ? 'the file is empty' : 'the file holds nothing but white space', {
      file,
      line: 1,
      column: 1,
    });
  }
  const yamlName = /\.ya?ml$/i.test(file);
  const json = /\.json$/i.test(file) || (start === '{' && !yamlName);
  checkSize(text.length, json, file, limits);
  checkBinary(text, file);
  return json ? readJson(text, file) : readYaml(text, file);
}

/** Throws ProgramError when a file is larger than its format's limit. */
export function checkSize(size: number, json: boolean, file: string, limits: SizeLimits): void {
  const limit = json ? limits.json : limits.yaml;
  if (size <= limit) return;
  const mebibytes = (n: number) => `${Math.round((n / 2 ** 20) * 10) / 10} MiB`;
  const hint = json ? '' : '; larger programs are read as JSON';
  throw new ProgramError(
    `the file has ${mebibytes(size)}, the limit for ${json ? 'JSON' : 'YAML'} is ${mebibytes(limit)}${hint}`,
    { file, line: 1, column: 1 },
  );
}

function checkBinary(text: string, file: string): void {
  const offset = text.indexOf('\0');
  if (offset >= 0) throw new ProgramError('the file is binary, not text', { file, ...linePlace(text, offset) });
}

/** Line and column, from 1, of an offset. */
export function linePlace(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let i = text.indexOf('\n'); i >= 0 && i < offset; i = text.indexOf('\n', i + 1)) {
    line += 1;
    start = i + 1;
  }
  return { line, column: offset - start + 1 };
}

function readJson(text: string, file: string): Source {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    new JsonScan(text, file);
    throw new ProgramError(`not valid JSON: ${(error as Error).message}`, { file, line: 1, column: 1 });
  }
  const { calls } = new JsonScan(text, file);
  return {
    value,
    locate: (path, atKey) => new JsonScan(text, file, path, atKey).found,
    callPlace: (_path, ordinal) => ({ line: calls[2 * ordinal] ?? 0, column: calls[2 * ordinal + 1] ?? 0 }),
  };
}
