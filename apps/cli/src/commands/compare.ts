import {
  type CaseComparison,
  compareCase,
  comparedTimelines,
  type HostChoice,
  machineFor,
  type PreparedCase,
  prepareCases,
} from '@griddep/hardware';
import type { Machine } from '@griddep/machine';
import { renderSvg, renderTerminal } from '@griddep/timeline';
import { EXIT } from '../exit-codes.ts';
import { casesOrCarried } from '../input/case-files.ts';
import { InputError } from '../input/input-error.ts';
import { type MachineOptions, machineOf } from '../input/profile.ts';
import { compareTable } from '../output/compare-text.ts';
import { checkOutputs, type OutputFile, writeOutputs } from '../output/files.ts';
import { signedPercent, us } from '../output/number-format.ts';
import { print, warn } from '../output/stdout.ts';
import { pictureWidth } from '../output/width.ts';

export interface CompareOptions extends MachineOptions {
  readonly host: HostChoice;
  readonly filter?: string;
  readonly svg?: string;
  readonly rows: number;
  readonly width?: number;
  readonly ascii?: boolean;
  readonly cases: number;
}

/** `griddep compare CASE...`: simulated and measured timelines one over the other, operation by operation. */
export async function compare(paths: readonly string[], options: CompareOptions): Promise<number> {
  const outputs = (content: OutputFile['content']) =>
    options.svg === undefined ? [] : [{ option: '--svg', path: options.svg, content }];
  await checkOutputs(outputs(String), paths);
  const machine = await machineOf(options);
  const all = prepareCases(await casesOrCarried(paths), machine, options.host);
  const chosen = all.filter(({ measured }) => options.filter === undefined || matches(options.filter, measured.name));
  if (chosen.length === 0) throw new InputError(`--filter ${options.filter}: none of ${all.length} cases matches`);
  if (chosen.length > options.cases) {
    warn(`showing ${options.cases} of ${chosen.length} cases; --filter chooses, --cases shows more`);
  }
  const compared = chosen.slice(0, options.cases).map((prepared) => comparedCase(prepared, machine));
  const failure = await writeOutputs(
    outputs(() =>
      renderSvg(
        compared.flatMap(({ panels }) => panels),
        {},
      ),
    ),
  );
  for (const { panels, comparison, prepared } of compared) {
    const { measured } = prepared;
    await print(
      `${measured.name}, measured by ${measured.measuredBy}\n`,
      renderTerminal(panels, { width: pictureWidth(options.width), ascii: options.ascii === true }),
      '\n',
      compareTable(measured, comparison.ops, options.rows),
      `\nmakespan: measured ${us(comparison.measuredMakespanNs)} us, simulated ` +
        `${us(comparison.simulatedMakespanNs)} us (${signedPercent(comparison.makespanError)})\n\n`,
    );
  }
  if (failure !== undefined) throw failure;
  return EXIT.ok;
}

interface Compared {
  readonly prepared: PreparedCase;
  readonly panels: Parameters<typeof renderTerminal>[0];
  readonly comparison: CaseComparison;
}

/** @throws InputError for a case that the machine cannot run */
function comparedCase(prepared: PreparedCase, machine: Machine): Compared {
  const { measured } = prepared;
  if (measured.refused !== undefined) throw new InputError(`${measured.name}: ${measured.refused}`);
  if (measured.operations.length === 0) throw new InputError(`${measured.name}: no operation was measured`);
  const timelines = comparedTimelines(measured, machineFor(prepared, machine));
  return {
    prepared,
    panels: [
      { title: `${measured.name}: measured`, timeline: timelines.measured },
      { title: `${measured.name}: simulated`, timeline: timelines.simulated },
    ],
    comparison: compareCase(measured, timelines.intervals, Number.NaN),
  };
}

function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern).test(name);
  } catch (error) {
    throw new InputError(`--filter: ${(error as Error).message}`);
  }
}
