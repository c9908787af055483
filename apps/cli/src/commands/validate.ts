import {
  type CaseComparison,
  type CaseGroup,
  type HostChoice,
  prepareCases,
  type RefusedCase,
  reportOf,
  summarize,
  type ValidationSummary,
  validateCases,
} from '@griddep/hardware';
import type { Machine } from '@griddep/machine';
import { EXIT } from '../exit-codes.ts';
import { casesOrCarried } from '../input/case-files.ts';
import { InputError } from '../input/input-error.ts';
import { type MachineOptions, machineOf } from '../input/profile.ts';
import { percent } from '../output/number-format.ts';
import { Progress } from '../output/progress.ts';
import { print, warn } from '../output/stdout.ts';
import { environmentJson } from '../output/validation-parts.ts';
import { validationText } from '../output/validation-text.ts';

export interface ValidateOptions extends MachineOptions {
  readonly host: HostChoice;
  readonly filter?: string;
  readonly failAbove?: number;
  readonly worst: number;
  readonly json?: boolean;
}

/** `griddep validate [CASES...]`: simulates measured cases and says how far off the simulation is. */
export async function validate(paths: readonly string[], options: ValidateOptions): Promise<number> {
  const pattern = options.filter === undefined ? undefined : regularExpression(options.filter);
  const machine = await machineOf(options);
  const groups = await casesOrCarried(paths);
  const results = await validateGroups(groups, machine, options.host, pattern);
  if (results.length === 0) {
    const all = groups.reduce((sum, { cases }) => sum + cases.length, 0);
    throw new InputError(
      all === 0 ? `${paths.join(', ')}: no cases` : `--filter ${options.filter}: none of ${all} cases matches`,
    );
  }
  const summary = summarize(results);
  const report = reportOf(results);
  const environments = options.host === 'profile' ? [] : groups;
  if (options.json === true) {
    const host = { choice: options.host, environments: environmentJson(environments, machine) };
    await print(`${JSON.stringify({ cases: results, summary, ...report, host })}\n`);
  } else await print(validationText(results, summary, report, options));
  return judge(summary, options.failAbove);
}

/** Compares the cases whose name matches; the costs of a host come from all cases of its file. */
export async function validateGroups(
  groups: readonly CaseGroup[],
  machine: Machine,
  host: HostChoice,
  pattern?: RegExp,
): Promise<(CaseComparison | RefusedCase)[]> {
  const all = prepareCases(groups, machine, host);
  const cases = all.filter(({ measured }) => pattern === undefined || pattern.test(measured.name));
  const progress = await Progress.start({ format: 'validating {value} of {total}: {name}', total: cases.length });
  try {
    return validateCases(cases, machine, (i, name) => progress.update(i, { name }));
  } finally {
    progress.stop();
  }
}

function judge({ cases, refused, makespan }: ValidationSummary, failAbove: number | undefined): number {
  if (failAbove === undefined) return EXIT.ok;
  const faults: string[] = [];
  if (cases === 0) faults.push('no case could be compared');
  else if (makespan.median > failAbove) faults.push(`median makespan error ${percent(makespan.median)}`);
  if (refused > 0) faults.push(`${refused} ${refused === 1 ? 'case was' : 'cases were'} refused`);
  if (faults.length === 0) return EXIT.ok;
  warn(`${faults.join(', ')}, --fail-above ${percent(failAbove)}`);
  return EXIT.exceeded;
}

function regularExpression(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (error) {
    throw new InputError(`--filter: ${(error as Error).message}`);
  }
}
