import { AREAS, calibrate as fit, type HostChoice, prepareCases, profileOf } from '@griddep/hardware';
import { nearestName } from '@griddep/machine';
import { EXIT } from '../exit-codes.ts';
import { casesOrCarried } from '../input/case-files.ts';
import { InputError } from '../input/input-error.ts';
import { resolveMachine } from '../input/machine.ts';
import { calibrationText } from '../output/calibration-text.ts';
import { checkOutputs, writeOutputs } from '../output/files.ts';
import { Progress } from '../output/progress.ts';
import { print } from '../output/stdout.ts';

export interface CalibrateCommandOptions {
  readonly base: string;
  readonly output?: string;
  readonly only?: string;
  readonly rounds: number;
  readonly host: HostChoice;
}

/** `griddep calibrate [CASES...]`: fits the constants of a device to measured cases. */
export async function calibrate(paths: readonly string[], options: CalibrateCommandOptions): Promise<number> {
  const { base, output, rounds } = options;
  const only = options.only?.split(',').map((name) => name.trim());
  checkNames(only ?? []);
  if (output !== undefined) await checkOutputs([{ option: '--output', path: output }], [...paths, base]);
  const machine = await resolveMachine(base);
  const groups = await casesOrCarried(paths);
  const progress = await Progress.start({ format: 'calibrating {value} of {all}: {name}' });
  try {
    const result = fit(prepareCases(groups, machine, options.host), machine, {
      rounds,
      ...(only === undefined ? {} : { only }),
      onProgress: (done, total, name) => progress.update(done, { name, all: total }),
    });
    const measuredBy = [...new Set(groups.flatMap(({ cases }) => cases.map((each) => each.measuredBy)))];
    const content = () => `${JSON.stringify(profileOf(result, { rounds, measuredBy }), undefined, 2)}\n`;
    if (output !== undefined) await writeOutputs([{ option: '--output', path: output, content }]);
    await print(calibrationText(result, machine));
  } finally {
    progress.stop();
  }
  return EXIT.ok;
}

function checkNames(only: readonly string[]): void {
  const known: readonly string[] = AREAS.flatMap((area) => [...area.searched, ...(area.readOff ?? [])]).map(
    ({ constant }) => constant,
  );
  for (const name of only) {
    if (known.includes(name)) continue;
    const nearest = nearestName(name, known);
    throw new InputError(
      `--only ${name}: no constant that cases isolate${nearest === undefined ? '' : ` (did you mean "${nearest}"?)`}`,
    );
  }
}
