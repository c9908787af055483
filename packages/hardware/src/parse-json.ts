import { ProgramError, parseSource } from '@griddep/program';
import type * as z from 'zod';

/** A file of measured cases, or a profile, that cannot be read. The message begins with `file:line:column` where known. */
export class CaseFileError extends Error {
  constructor(place: string, problem: string) {
    super(`${place}: ${problem}`);
    this.name = 'CaseFileError';
  }
}

/**
 * Parses JSON text by a schema.
 *
 * @throws CaseFileError with the place of the first problem
 */
export function parseJson<T>(text: string, file: string, schema: z.ZodType<T>): T {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw syntaxError(text, file, (error as Error).message);
  }
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.map((key) => (typeof key === 'symbol' ? String(key) : key)) ?? [];
  const problem = (issue?.message ?? 'not usable').replace(/^[^:]*: (?=expected)/, '');
  const { line, column } = parseSource(text, asJson(file)).locate(path, false);
  throw new CaseFileError(`${file}:${line}:${column}`, path.length === 0 ? problem : `${pathText(path)}: ${problem}`);
}

/** JSON.parse names no line; the reader of programs does. */
function syntaxError(text: string, file: string, fallback: string): CaseFileError {
  try {
    parseSource(text, asJson(file));
  } catch (error) {
    if (error instanceof ProgramError) return new CaseFileError(`${file}:${error.line}:${error.column}`, error.problem);
  }
  return new CaseFileError(file, `not valid JSON: ${fallback}`);
}

/** A name by which a text is read as JSON, whatever the file is called. */
function asJson(file: string): string {
  return `${file}.json`;
}

/** `cases[3].kernels.k.grid` */
function pathText(path: readonly (string | number)[]): string {
  return path.map((key, i) => (typeof key === 'number' ? `[${key}]` : i === 0 ? key : `.${key}`)).join('');
}
