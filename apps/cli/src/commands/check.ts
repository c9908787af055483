import type { Assume, CheckResult } from '@griddep/insight';
import type { Program } from '@griddep/program';
import { EXIT } from '../exit-codes.ts';
import { resolveMachine } from '../input/machine.ts';
import { programOf, resolveInput, tracedMachine } from '../input/resolve.ts';
import { parseSettings } from '../input/settings.ts';
import { DEFAULT_MACHINE, simulateWithProgress } from '../input/simulated.ts';
import { onlySource } from '../input/sources.ts';
import { type TraceCommandOptions, traceOptions } from '../input/trace-options.ts';
import { checkText } from '../output/check-text.ts';
import { print } from '../output/stdout.ts';

export interface CheckCommandOptions extends TraceCommandOptions {
  readonly scenario?: string;
  readonly set: readonly string[];
  readonly machine?: string;
  readonly assume: Assume;
  readonly format: 'text' | 'json' | 'sarif';
  readonly failOn: 'unsafe' | 'any';
  readonly simulation: boolean;
}

/** `griddep check INPUT`: what is unsafe in a program, whatever a run of it would do, and what one run makes of its races. */
export async function check(path: string | undefined, options: CheckCommandOptions): Promise<number> {
  const machine = await resolveMachine(options.machine ?? DEFAULT_MACHINE);
  const { checkProgram } = await import('@griddep/simulator');
  const input = await resolveInput(onlySource(path, options.scenario), {
    set: parseSettings(options.set),
    check: (program: Program) => checkProgram(program, machine),
    machine: options.machine === undefined ? undefined : machine,
    traces: traceOptions(options),
  });
  const { checkHazards, withSimulatedTimes } = await import('@griddep/insight');
  const program = programOf(input, 'check');
  const on = tracedMachine(input) ?? machine;
  const judged = checkHazards(program, on, { assume: options.assume });
  const simulate = async (named: Program) => (await simulateWithProgress(named, on, {})).timeline;
  const result = options.simulation ? await withSimulatedTimes(judged, program, simulate) : judged;
  await print(await formatted(result, options.format));
  const fails = options.failOn === 'any' ? result.findings.length > 0 : result.verdict === 'unsafe';
  return fails ? EXIT.exceeded : EXIT.ok;
}

async function formatted(result: CheckResult, format: CheckCommandOptions['format']): Promise<string> {
  if (format === 'text') return checkText(result);
  if (format === 'json') return `${JSON.stringify(result, null, 2)}\n`;
  const { checkSarif } = await import('../output/check-sarif.ts');
  return `${JSON.stringify(checkSarif(result), null, 2)}\n`;
}
