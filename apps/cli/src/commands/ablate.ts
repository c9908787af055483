import { ablate as ablateMechanisms, ablationMarkdown, type HostChoice, prepareCases } from '@griddep/hardware';
import { EXIT } from '../exit-codes.ts';
import { casesOrCarried } from '../input/case-files.ts';
import { type MachineOptions, machineOf } from '../input/profile.ts';
import { renderColumns } from '../output/columns.ts';
import { percent } from '../output/number-format.ts';
import { Progress } from '../output/progress.ts';
import { print } from '../output/stdout.ts';

export interface AblateOptions extends MachineOptions {
  readonly host: HostChoice;
  readonly markdown?: boolean;
  readonly json?: boolean;
}

/** `griddep ablate [CASES...]`: what the makespan error becomes without each mechanism. */
export async function ablate(paths: readonly string[], options: AblateOptions): Promise<number> {
  const machine = await machineOf(options);
  const cases = prepareCases(await casesOrCarried(paths), machine, options.host);
  const progress = await Progress.start({ format: 'without {value} of {all}: {name}' });
  try {
    const onProgress = (done: number, total: number, name: string) => progress.update(done, { name, all: total });
    const result = ablateMechanisms(cases, machine, undefined, onProgress);
    if (options.json === true) await print(`${JSON.stringify(result)}\n`);
    else if (options.markdown === true) await print(ablationMarkdown(result));
    else {
      const rows = [{ mechanism: '', without: `all present, ${result.all.cases} cases`, summary: result.all }];
      await print(
        renderColumns(
          [
            { title: 'without' },
            { title: 'in its place' },
            { title: 'makespan median', align: 'right' },
            { title: '90 %', align: 'right' },
            { title: 'mean', align: 'right' },
            { title: 'refused', align: 'right' },
          ],
          [...rows, ...result.mechanisms].map(({ mechanism, without, summary: { makespan, refused } }) => [
            mechanism,
            without,
            ...[makespan.median, makespan.p90, makespan.mean].map((share) => percent(share)),
            refused === 0 ? '' : String(refused),
          ]),
        ),
      );
    }
  } finally {
    progress.stop();
  }
  return EXIT.ok;
}
