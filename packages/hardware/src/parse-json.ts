import { ProgramError, parseSource } from '@griddep/program';
import type * as z from 'zod';

/** A file of measured cases, or a profile, that cannot be read. The message begins with `file:line:column` where known. */
export class CaseFileError extends Error {
  constructor(place: string, problem: string) {
    super(`${place}: ${problem}`);
    this.name = 'CaseFileError';
  }
}

type JsonPath = readonly (string | number)[];

export interface ParseOptions {
  /** Refuses keys that stand twice, and `__proto__`: JavaScript passes over them in silence. */
  readonly strict?: boolean;
  /** What the place of a problem is part of, for its message. */
  readonly about?: (data: unknown, path: JsonPath) => string | undefined;
}

/**
 * Parses JSON text by a schema.
 *
 * @throws CaseFileError with the place of the first problem
 */
export function parseJson<T>(
  text: string,
  file: string,
  schema: z.ZodType<T>,
  { strict = false, about }: ParseOptions = {},
): T {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw scanned(text, file) ?? new CaseFileError(file, `not valid JSON: ${(error as Error).message}`);
  }
  if (strict) {
    const problem = scanned(text, file);
    if (problem !== undefined) throw problem;
    const path = pathOfPrototype(data);
    if (path !== undefined) throw placed(text, file, path, 'no such name');
  }
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.map((key) => (typeof key === 'symbol' ? String(key) : key)) ?? [];
  const problem = (issue?.message ?? 'not usable').replace(/^[^:]*: (?=expected)/, '');
  const whole = about?.(data, path);
  throw placed(text, file, path, whole === undefined ? problem : `${problem} (${whole})`);
}

/** A problem with the line and column of what a path leads to. */
function placed(text: string, file: string, path: JsonPath, problem: string): CaseFileError {
  try {
    const { line, column } = parseSource(text, asJson(file)).locate(path, false);
    return new CaseFileError(
      `${file}:${line}:${column}`,
      path.length === 0 ? problem : `${pathText(path)}: ${problem}`,
    );
  } catch (error) {
    if (error instanceof ProgramError) return new CaseFileError(`${file}:${error.line}:${error.column}`, error.problem);
    throw error;
  }
}

/** What the reader of programs finds: unlike JSON.parse it knows the line, and refuses keys that stand twice. */
function scanned(text: string, file: string): CaseFileError | undefined {
  try {
    parseSource(text, asJson(file));
    return undefined;
  } catch (error) {
    if (error instanceof ProgramError) return new CaseFileError(`${file}:${error.line}:${error.column}`, error.problem);
    throw error;
  }
}

/** Where a key `__proto__` stands. */
function pathOfPrototype(data: unknown): JsonPath | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  if (Object.hasOwn(data, '__proto__')) return ['__proto__'];
  for (const [key, value] of Object.entries(data)) {
    const path = pathOfPrototype(value);
    if (path !== undefined) return [Array.isArray(data) ? Number(key) : key, ...path];
  }
  return undefined;
}

/** A name by which a text is read as JSON, whatever the file is called. */
function asJson(file: string): string {
  return `${file}.json`;
}

/** `cases[3].kernels.k.grid` */
function pathText(path: JsonPath): string {
  return path.map((key, i) => (typeof key === 'number' ? `[${key}]` : i === 0 ? key : `.${key}`)).join('');
}
