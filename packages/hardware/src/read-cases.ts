import { ProgramError, programBuilder } from '@griddep/program';
import { caseFromHwrun } from './hwrun-adapter.ts';
import { callsFromHwrun } from './hwrun-calls.ts';
import { checkCase, impossibleDevice } from './hwrun-check.ts';
import { type HwrunCase, hwrunFile } from './hwrun-format.ts';
import type { MeasuredCase } from './measured-case.ts';
import { CaseFileError, parseJson } from './parse-json.ts';
import { CASES_SCHEMA, programCaseFile } from './program-case-format.ts';
import { casesOfPrograms } from './program-cases.ts';

/**
 * Reads a file of measured cases, in the measuring program's format or as exported programs write it. A case that names devices it does not have is among
 * them, with the reason why it cannot run.
 *
 * @throws CaseFileError
 */
export function readCases(text: string, file: string): MeasuredCase[] {
  if (isOfPrograms(text)) return readProgramCases(text, file);
  const { device, cases } = parseJson(text, file, hwrunFile, { about: caseName });
  const measuredBy = `${device?.gpu ?? 'unknown device'}, CUDA ${device?.driver ?? 'unknown'}`;
  return cases.map((c) => {
    try {
      checkCase(c);
      const refused = impossibleDevice(c);
      if (refused !== undefined) return refusedCase(c, measuredBy, refused);
      return { ...caseFromHwrun(c, measuredBy), calls: callsFromHwrun(c) };
    } catch (error) {
      const { message } = error as Error;
      const own = `case "${c.name}": `;
      throw new CaseFileError(file, message.startsWith(own) ? message : own + message);
    }
  });
}

/** Exported programs write the schema first. */
function isOfPrograms(text: string): boolean {
  return text.slice(0, 200).includes(`"${CASES_SCHEMA}"`);
}

function readProgramCases(text: string, file: string): MeasuredCase[] {
  const parsed = parseJson(text, file, programCaseFile, { about: caseName });
  try {
    return casesOfPrograms(parsed);
  } catch (error) {
    if (error instanceof ProgramError) throw new CaseFileError(file, error.message);
    throw error;
  }
}

/** `case "a"`, for a problem in it. */
function caseName(data: unknown, path: readonly (string | number)[]): string | undefined {
  const [list, index] = path;
  if (list !== 'cases' || typeof index !== 'number') return undefined;
  const { name } = ((data as { cases: unknown[] }).cases[index] ?? {}) as { name?: unknown };
  return typeof name === 'string' ? `case "${name}"` : undefined;
}

function refusedCase({ name }: HwrunCase, measuredBy: string, refused: string): MeasuredCase {
  return {
    name,
    program: programBuilder(name).build(),
    measuredBy,
    operations: [],
    hostTotal: Number.NaN,
    observation: { zero: { operation: '', at: 'callBegin' }, events: new Map(), prefix: '' },
    refused,
  };
}
