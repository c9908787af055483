import {
  type CaseComparison,
  type MeasuredCase,
  type RefusedCase,
  summarize,
  type ValidationSummary,
  validateCase,
} from '@griddep/hardware';
import { type Machine, machineByName } from '@griddep/machine';
import { EXIT } from '../exit-codes.ts';
import { readCaseFiles } from '../input/case-files.ts';
import { InputError } from '../input/input-error.ts';
import { resolveMachine } from '../input/machine.ts';
import { percent } from '../output/number-format.ts';
import { Progress } from '../output/progress.ts';
import { print, warn } from '../output/stdout.ts';
import { validationText } from '../output/validation-text.ts';

export interface ValidateOptions {
  readonly machine: string;
  readonly filter?: string;
  readonly failAbove?: number;
  readonly worst: number;
  readonly json?: boolean;
}

/** `griddep validate PATH...`: simulates measured cases and says how far off the simulation is. */
export async function validate(paths: readonly string[], options: ValidateOptions): Promise<number> {
  const pattern = options.filter === undefined ? undefined : regularExpression(options.filter);
  const machine = await resolveMachine(options.machine);
  const all = await readCaseFiles(paths);
  const cases = all.filter(({ name }) => pattern === undefined || pattern.test(name));
  if (cases.length === 0) {
    throw new InputError(
      all.length === 0
        ? `${paths.join(', ')}: no cases`
        : `--filter ${options.filter}: none of ${all.length} cases matches`,
    );
  }
  const results = await validateAll(cases, machine);
  const summary = summarize(results);
  if (options.json === true) await print(`${JSON.stringify({ cases: results, summary })}\n`);
  else await print(validationText(results, summary, options.worst));
  return judge(summary, options.failAbove);
}

async function validateAll(
  cases: readonly MeasuredCase[],
  machine: Machine,
): Promise<(CaseComparison | RefusedCase)[]> {
  const progress = await Progress.start({ format: 'validating {value} of {total}: {name}', total: cases.length });
  try {
    return cases.map((measured, i) => {
      progress.update(i, { name: measured.name });
      return validateCase(measured, withDevices(machine, devicesOf(measured)));
    });
  } finally {
    progress.stop();
  }
}

/** A case of several devices runs on a node of the same ones, where the machine is of the catalogue. */
function withDevices(machine: Machine, count: number): Machine {
  if (machine.devices.length !== 1 || count <= 1 || machine.name !== machine.devices[0]?.name) return machine;
  return machineByName(`${machine.name}x${count}`);
}

function devicesOf({ program }: MeasuredCase): number {
  let last = 0;
  for (const { device } of [...program.streams.values(), ...program.events.values(), ...program.buffers.values()]) {
    last = Math.max(last, device);
  }
  return last + 1;
}

function judge(summary: ValidationSummary, failAbove: number | undefined): number {
  if (failAbove === undefined || summary.makespan.median <= failAbove) return EXIT.ok;
  const median =
    summary.cases === 0 ? 'no case could be compared' : `median makespan error ${percent(summary.makespan.median)}`;
  warn(`${median}, --fail-above ${percent(failAbove)}`);
  return EXIT.exceeded;
}

function regularExpression(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (error) {
    throw new InputError(`--filter: ${(error as Error).message}`);
  }
}
