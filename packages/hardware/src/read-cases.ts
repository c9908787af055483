import { caseFromHwrun } from './hwrun-adapter.ts';
import { callsFromHwrun } from './hwrun-calls.ts';
import { hwrunFile } from './hwrun-format.ts';
import type { MeasuredCase } from './measured-case.ts';
import { CaseFileError, parseJson } from './parse-json.ts';

/**
 * Reads a file of measured cases, in the measuring program's format.
 *
 * @throws CaseFileError
 */
export function readCases(text: string, file: string): MeasuredCase[] {
  const { device, cases } = parseJson(text, file, hwrunFile);
  const measuredBy = `${device?.gpu ?? 'unknown device'}, CUDA ${device?.driver ?? 'unknown'}`;
  return cases.map((c) => {
    try {
      return { ...caseFromHwrun(c, measuredBy), calls: callsFromHwrun(c) };
    } catch (error) {
      throw new CaseFileError(file, `case "${c.name}": ${(error as Error).message}`);
    }
  });
}
