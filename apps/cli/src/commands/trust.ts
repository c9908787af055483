import { type HostChoice, isRefused, NOT_MODELLED, reportOf, trustMarkdown } from '@griddep/hardware';
import { EXIT } from '../exit-codes.ts';
import { casesOrCarried } from '../input/case-files.ts';
import { type MachineOptions, machineOf } from '../input/profile.ts';
import { renderColumns } from '../output/columns.ts';
import { print } from '../output/stdout.ts';
import { familyTable, HOST_NOTES, partTable, refusedTable } from '../output/validation-parts.ts';
import { validateGroups } from './validate.ts';

export interface TrustOptions extends MachineOptions {
  readonly host: HostChoice;
  readonly markdown?: boolean;
  readonly json?: boolean;
}

/** `griddep trust [CASES...]`: how far the simulation is off by family of cases, and what it does not model. */
export async function trust(paths: readonly string[], options: TrustOptions): Promise<number> {
  const machine = await machineOf(options);
  const groups = await casesOrCarried(paths);
  const results = await validateGroups(groups, machine, options.host);
  const report = reportOf(results);
  const refused = results.filter(isRefused);
  if (options.json === true) {
    await print(`${JSON.stringify({ ...report, refused, notModelled: NOT_MODELLED })}\n`);
  } else if (options.markdown === true) {
    const measuredBy = new Set(groups.flatMap(({ cases }) => cases.map((each) => each.measuredBy)));
    await print(trustMarkdown(report, [...measuredBy], refused));
  } else {
    const missing = renderColumns(
      [{ title: 'not modelled' }, { title: 'which means' }],
      NOT_MODELLED.map(({ what, means }) => [what, means]),
    );
    const parts = [familyTable(report.families), partTable(report.parts)];
    if (refused.length > 0) parts.push(refusedTable(refused));
    await print([...parts, missing, `${HOST_NOTES[options.host]}\n`].join('\n'));
  }
  return EXIT.ok;
}
