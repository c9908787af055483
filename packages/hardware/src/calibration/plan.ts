import type { ExportInput } from '../export/export-programs.ts';
import { type HwrunCase, hwrunFile } from '../hwrun-format.ts';
import { opensItsGate, programOfHwrun } from '../hwrun-program.ts';
import { parseJson } from '../parse-json.ts';
import { partOf } from '../split.ts';
import { AREAS } from './areas.ts';

/** Cases of a constant, where there are as many. */
const PER_CONSTANT = 8;

/**
 * The programs that determine a profile, from files of measured cases as text: of each constant that cases isolate some
 * whose names say so, on one device, each program once. What was measured of them is left aside.
 *
 * @param files by name, in the measuring program's format
 * @throws CaseFileError
 */
export function plannedInputs(files: ReadonlyMap<string, string>): ExportInput[] {
  const sources = new Map<string, HwrunCase>();
  for (const [file, text] of files) {
    for (const one of parseJson(text, file, hwrunFile).cases) {
      if (one.devices > 1 || partOf(one.name) !== 'fit' || opensItsGate(one) || sources.has(one.name)) continue;
      sources.set(one.name, one);
    }
  }
  const chosen = new Set<string>();
  for (const area of AREAS) {
    for (const { cases } of area.searched)
      choose(
        [...sources.keys()].filter((name) => cases.test(name)),
        chosen,
      );
  }
  return [...sources.values()].filter(({ name }) => chosen.has(name)).map(inputOf);
}

/** Adds some of the names to what is chosen, spread evenly over them. */
function choose(names: readonly string[], chosen: Set<string>): void {
  const count = Math.min(PER_CONSTANT, names.length);
  for (let i = 0; i < count; i++) chosen.add(names[Math.floor((i * names.length) / count)] as string);
}

function inputOf(source: HwrunCase): ExportInput {
  const untimed = source.ops.filter((op) => op.untimed === true).map(({ label }) => label ?? '');
  return {
    program: programOfHwrun(source),
    gate: source.gated ? 'auto' : 'never',
    untimed: new Set(untimed),
  };
}
