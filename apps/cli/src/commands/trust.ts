import { type HostChoice, NOT_MODELLED, reportOf, trustMarkdown } from '@griddep/hardware';
import { EXIT } from '../exit-codes.ts';
import { casesOrCarried } from '../input/case-files.ts';
import { resolveMachine } from '../input/machine.ts';
import { machineWithProfile } from '../input/profile.ts';
import { renderColumns } from '../output/columns.ts';
import { print } from '../output/stdout.ts';
import { familyTable, HOST_NOTES, partTable } from '../output/validation-parts.ts';
import { validateGroups } from './validate.ts';

export interface TrustOptions {
  readonly machine: string;
  readonly profile?: string;
  readonly host: HostChoice;
  readonly markdown?: boolean;
  readonly json?: boolean;
}

/** `griddep trust [CASES...]`: how far the simulation is off by family of cases, and what it does not model. */
export async function trust(paths: readonly string[], options: TrustOptions): Promise<number> {
  const named = await resolveMachine(options.machine);
  const machine = options.profile === undefined ? named : await machineWithProfile(named, options.profile);
  const groups = await casesOrCarried(paths);
  const report = reportOf(await validateGroups(groups, machine, options.host));
  if (options.json === true) {
    await print(`${JSON.stringify({ ...report, notModelled: NOT_MODELLED })}\n`);
  } else if (options.markdown === true) {
    const measuredBy = new Set(groups.flatMap(({ cases }) => cases.map((each) => each.measuredBy)));
    await print(trustMarkdown(report, [...measuredBy]));
  } else {
    const missing = renderColumns(
      [{ title: 'not modelled' }, { title: 'which means' }],
      NOT_MODELLED.map(({ what, means }) => [what, means]),
    );
    await print(
      [familyTable(report.families), partTable(report.parts), missing, `${HOST_NOTES[options.host]}\n`].join('\n'),
    );
  }
  return EXIT.ok;
}
