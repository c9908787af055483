import {
  AREAS,
  type Calibration,
  calibrate as fit,
  type HostChoice,
  namesDevice,
  prepareCases,
  profileOf,
} from '@griddep/hardware';
import { type Machine, nearestName } from '@griddep/machine';
import { EXIT } from '../exit-codes.ts';
import { caseFiles } from '../input/case-files.ts';
import { InputError } from '../input/input-error.ts';
import { resolveMachine } from '../input/machine.ts';
import { calibrationText } from '../output/calibration-text.ts';
import { checkOutputs, writeOutputs } from '../output/files.ts';
import { Progress } from '../output/progress.ts';
import { print, warn } from '../output/stdout.ts';

export interface CalibrateCommandOptions {
  readonly base: string;
  readonly output?: string;
  readonly only?: string;
  readonly rounds: number;
  readonly host: HostChoice;
  /** A folder: the programs to be measured are written there, and nothing is fitted. */
  readonly plan?: string;
}

/** `griddep calibrate [CASES...]`: fits the constants of a device to measured cases. */
export async function calibrate(paths: readonly string[], options: CalibrateCommandOptions): Promise<number> {
  const { base, output, rounds } = options;
  if (options.plan !== undefined) return (await import('./plan.ts')).plan(options.plan);
  const only = options.only?.split(',').map((name) => name.trim());
  checkNames(only ?? []);
  const files = await caseFiles(paths);
  const outputs = (content: () => string) =>
    output === undefined ? [] : [{ option: '--output', path: output, content }];
  await checkOutputs(outputs(String), [...files.paths, base]);
  const machine = await resolveMachine(base);
  const groups = await files.read();
  const measuredBy = [...new Set(groups.flatMap(({ cases }) => cases.map((each) => each.measuredBy)))];
  warnOfOtherDevice(measuredBy, machine);
  const cases = prepareCases(groups, machine, options.host);
  const result = await withProgress((onProgress) =>
    fit(cases, machine, { rounds, ...(only === undefined ? {} : { only }), onProgress }),
  );
  const failure = await writeOutputs(
    outputs(() => `${JSON.stringify(profileOf(result, { rounds, measuredBy }), undefined, 2)}\n`),
  );
  await print(calibrationText(result, machine));
  if (failure !== undefined) throw failure;
  return EXIT.ok;
}

type OnProgress = (done: number, total: number, constant: string) => void;

async function withProgress(work: (onProgress: OnProgress) => Calibration): Promise<Calibration> {
  const progress = await Progress.start({ format: 'calibrating {value} of {all}: {name}' });
  try {
    return work((done, total, name) => progress.update(done, { name, all: total }));
  } finally {
    progress.stop();
  }
}

/** What is fitted counts as measured on the device of the base: a user should know where it was not. */
function warnOfOtherDevice(measuredBy: readonly string[], { devices }: Machine): void {
  const device = devices[0]?.name ?? '';
  const others = measuredBy.filter((name) => !namesDevice(name, device));
  if (others.length === 0) return;
  warn(`warning: the device of --base is ${device}, but cases were measured by ${others.join('; ')}`);
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
