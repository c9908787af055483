import type { Assume, CheckResult, Finding } from '@griddep/insight';
import type { Program } from '@griddep/program';
import type { Timeline } from '@griddep/timeline';
import { EXIT } from '../exit-codes.ts';
import { type ProgramCommandOptions, programOnMachine } from '../input/program-on-machine.ts';
import { simulateWithProgress } from '../input/simulated.ts';
import { checkText } from '../output/check-text.ts';
import { print, warn } from '../output/stdout.ts';

/** Events of the run that times races: what takes a few seconds. */
const MOST_EVENTS = 1_000_000;

export interface CheckCommandOptions extends ProgramCommandOptions {
  readonly assume: Assume;
  readonly format: 'text' | 'json' | 'sarif';
  readonly failOn: 'unsafe' | 'any';
  readonly simulation: boolean;
}

/** `griddep check INPUT`: what is unsafe in a program, whatever a run of it would do, and what one run makes of its races. */
export async function check(path: string | undefined, options: CheckCommandOptions): Promise<number> {
  const { program, machine, isTraced } = await programOnMachine(path, 'check', options);
  const { checkHazards } = await import('@griddep/insight');
  const found = checkHazards(program, machine, { assume: options.assume });
  const judged = isTraced ? withoutAccesses(found) : found;
  const simulate = async (named: Program) =>
    (await simulateWithProgress(named, machine, { maxEvents: MOST_EVENTS })).timeline;
  const result = options.simulation ? await timedWherePossible(judged, program, simulate) : judged;
  await print(await formatted(result, options.format));
  const fails = options.failOn === 'any' ? result.findings.length > 0 : result.verdict === 'unsafe';
  return fails ? EXIT.exceeded : EXIT.ok;
}

/** The judgement stands without a run: one that ends nowhere near costs it nothing but the times. */
async function timedWherePossible(
  judged: CheckResult,
  program: Program,
  simulate: (program: Program) => Promise<Timeline>,
): Promise<CheckResult> {
  const { withSimulatedTimes } = await import('@griddep/insight');
  try {
    return await withSimulatedTimes(judged, program, simulate);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'SimulationLimit') throw error;
    warn('the run that would say what timing makes of the races was given up: it is too long');
    return judged;
  }
}

/** A trace does not tell what kernels read and write: what is not unsafe otherwise is unknown. */
function withoutAccesses(result: CheckResult): CheckResult {
  const finding: Finding = {
    ...{ kind: 'undeclared-accesses', verdict: 'unknown', rules: ['2.2'], accesses: [], places: [] },
    ...{
      hiddenByHardware: false,
      count: 1,
      text: 'a trace does not tell what its kernels read and write, so that no race of theirs is found',
    },
  };
  const verdict = result.verdict === 'safe' ? 'unknown' : result.verdict;
  return { ...result, verdict, findings: [...result.findings, finding] };
}

async function formatted(result: CheckResult, format: CheckCommandOptions['format']): Promise<string> {
  if (format === 'text') return checkText(result);
  if (format === 'json') return `${JSON.stringify(result, null, 2)}\n`;
  const { checkSarif } = await import('../output/check-sarif.ts');
  return `${JSON.stringify(checkSarif(result), null, 2)}\n`;
}
