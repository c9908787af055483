import {
  type CaseGroup,
  type FamilySummary,
  type HostChoice,
  hostEnvironment,
  type PartSummary,
  type RefusedCase,
} from '@griddep/hardware';
import type { Machine } from '@griddep/machine';
import { renderColumns } from './columns.ts';
import { percent, signedPercent } from './number-format.ts';

/** What `--host` chose, for the reader of a table. */
export const HOST_NOTES: Readonly<Record<HostChoice, string>> = {
  environment:
    "calls cost what they took in each file's gated cases (--host environment); judged are intervals of the device",
  profile: "calls cost what the machine's profile says (--host profile)",
};

/** Figures by part, and within a part by kind of case. */
export function partTable(parts: readonly PartSummary[]): string {
  return renderColumns(
    [
      { title: 'part' },
      { title: 'cases', align: 'right' },
      { title: 'makespan median', align: 'right' },
      { title: '90 %', align: 'right' },
      { title: 'mean', align: 'right' },
      { title: 'placement median', align: 'right' },
      { title: '90 %', align: 'right' },
      { title: 'overlaps agree', align: 'right' },
    ],
    parts.map(({ part, kind, summary: { cases, makespan, placement, overlapAgreement } }) => [
      kind === undefined ? part : `${part}, ${kind}s`,
      String(cases),
      percent(makespan.median),
      percent(makespan.p90),
      percent(makespan.mean),
      percent(placement.median),
      percent(placement.p90),
      percent(overlapAgreement),
    ]),
  );
}

/** Families, the largest mean error first. */
export function familyTable(families: readonly FamilySummary[]): string {
  return renderColumns(
    [
      { title: 'family' },
      { title: 'fit', align: 'right' },
      { title: 'held out', align: 'right' },
      { title: 'makespan mean', align: 'right' },
      { title: 'median', align: 'right' },
      { title: 'worst', align: 'right' },
      { title: 'signed', align: 'right' },
      { title: 'placement mean', align: 'right' },
      { title: 'judged by' },
    ],
    families.map(({ family, fit, heldOut, judgedBy, bias, summary: { makespan, placement } }) => [
      family,
      String(fit),
      String(heldOut),
      percent(makespan.mean),
      percent(makespan.median),
      percent(makespan.worst),
      signedPercent(bias),
      percent(placement.mean),
      judgedBy === 'device intervals' ? '' : judgedBy,
    ]),
  );
}

/** Cases that were not compared, and why. */
export function refusedTable(refused: readonly RefusedCase[]): string {
  const rows = refused.map(({ name, file = '', refused: why }) => [name, file, why.split('\n')[0] ?? '']);
  return renderColumns([{ title: `not compared (${refused.length})` }, { title: 'file' }, { title: 'why' }], rows);
}

/** What calls cost in each file: `{file: {launchKernel: {valueNs, samples}}}`. */
export function environmentJson(groups: readonly CaseGroup[], machine: Machine): object {
  return Object.fromEntries(
    groups.map(({ name, cases }) => [name, Object.fromEntries(hostEnvironment(cases, machine))]),
  );
}
