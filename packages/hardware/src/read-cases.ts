import { ProgramError, parseSource } from '@griddep/program';
import { caseFromHwrun } from './hwrun-adapter.ts';
import { hwrunFile } from './hwrun-format.ts';
import type { MeasuredCase } from './measured-case.ts';

/** A file of measured cases that cannot be read. The message begins with `file:line:column` where a place is known. */
export class CaseFileError extends Error {
  constructor(place: string, problem: string) {
    super(`${place}: ${problem}`);
    this.name = 'CaseFileError';
  }
}

/**
 * Reads a file of measured cases, in the measuring program's format.
 *
 * @throws CaseFileError
 */
export function readCases(text: string, file: string): MeasuredCase[] {
  const { device, cases } = parse(text, file);
  const measuredBy = `${device?.gpu ?? 'unknown device'}, CUDA ${device?.driver ?? 'unknown'}`;
  return cases.map((c) => {
    try {
      return caseFromHwrun(c, measuredBy);
    } catch (error) {
      throw new CaseFileError(file, `case "${c.name}": ${(error as Error).message}`);
    }
  });
}

function parse(text: string, file: string): ReturnType<typeof hwrunFile.parse> {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw syntaxError(text, file, (error as Error).message);
  }
  const parsed = hwrunFile.safeParse(data);
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
