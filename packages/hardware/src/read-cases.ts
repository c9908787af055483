import * as z from 'zod';
import { caseFromHwrun } from './hwrun-adapter.ts';
import { hwrunFile } from './hwrun-format.ts';
import type { MeasuredCase } from './measured-case.ts';

/** A file of measured cases that cannot be read: what is wrong and, where known, at which place in the data. */
export class CaseFileError extends Error {
  constructor(file: string, problem: string) {
    super(`${file}: ${problem}`);
    this.name = 'CaseFileError';
  }
}

/**
 * Reads a file of measured cases, in the measuring program's format.
 *
 * @throws CaseFileError
 */
export function readCases(text: string, file: string): MeasuredCase[] {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw new CaseFileError(file, `not JSON: ${(error as Error).message}`);
  }
  const parsed = hwrunFile.safeParse(data);
  if (!parsed.success) throw new CaseFileError(file, z.prettifyError(parsed.error).split('\n').slice(0, 2).join(' '));
  const { device, cases } = parsed.data;
  const measuredBy = `${device?.gpu ?? 'unknown device'}, CUDA ${device?.driver ?? 'unknown'}`;
  return cases.map((c) => {
    try {
      return caseFromHwrun(c, measuredBy);
    } catch (error) {
      throw new CaseFileError(file, `case "${c.name}": ${(error as Error).message}`);
    }
  });
}
