import type { Ablation } from '../ablation/ablate.ts';
import type { ValidationReport } from '../report.ts';
import type { RefusedCase } from '../simulate-case.ts';
import type { ValidationSummary } from '../summary.ts';
import { NOT_MODELLED } from './not-modelled.ts';

type Row = readonly string[];

/** How far the simulation is off by part and family, and what it does not model, as Markdown. */
export function trustMarkdown(
  { parts, families }: ValidationReport,
  measuredBy: readonly string[],
  refused: readonly RefusedCase[] = [],
): string {
  const partRows = parts.map(({ part, kind, summary }) => [
    kind === undefined ? part : `${part}, ${kind}s`,
    String(summary.cases),
    ...figures(summary),
  ]);
  const familyRows = families.map(({ family, fit, heldOut, judgedBy, bias, summary }) => [
    `\`${family}\``,
    String(fit),
    String(heldOut),
    ...figures(summary),
    `${bias > 0 ? '+' : ''}${percent(bias)}`,
    judgedBy,
  ]);
  return `# How far the simulation is off

Made by \`griddep trust --markdown\` from cases measured on ${measuredBy.join('; ')}. Errors are of the makespan (first start
to last end), absolute, relative to the measured one or 20 us, whichever is more; placement is the mean distance of starts
and ends, first starts aligned. Two runs of the hardware differ by 0.5 % of the makespan (median).

Cases are dealt by a hash of their name: two thirds may be fitted to, one third is held out, applications only judge.

${table(['part', 'cases', ...FIGURES], partRows)}${refusedText(refused)}
## By family
${table(['family', 'fit', 'held out', ...FIGURES, 'signed median', 'judged by'], familyRows)}
Judged by the host's total are families whose operations hardware runs in another order every time.

## What is not modelled
${table(
  ['what', 'which means'],
  NOT_MODELLED.map(({ what, means }) => [what, means]),
)}`;
}

/** What each mechanism contributes, as Markdown. */
export function ablationMarkdown({ all, mechanisms }: Ablation): string {
  const rows = mechanisms.map(({ mechanism, without, summary }) => [mechanism, without, ...errors(summary)]);
  return `# What each mechanism contributes

Made by \`griddep ablate --markdown\`: makespan error over ${all.cases} measured cases when one mechanism is taken away.

${table(
  ['mechanism', 'in its place', 'median', '90 %', 'mean', 'refused'],
  [['all mechanisms present', '', ...errors(all)], ...rows],
)}`;
}

function refusedText(refused: readonly RefusedCase[]): string {
  if (refused.length === 0) return '';
  const rows = refused.map(({ name, refused: why }) => [`\`${name}\``, why]);
  return `\n${refused.length} ${refused.length === 1 ? 'case was' : 'cases were'} not compared:\n\n${table(['case', 'why'], rows)}`;
}

const FIGURES = ['makespan median', '90 %', 'mean', 'placement median', '90 %', 'overlaps agree'];

function figures({ makespan, placement, overlapAgreement }: ValidationSummary): Row {
  const values = [makespan.median, makespan.p90, makespan.mean, placement.median, placement.p90, overlapAgreement];
  return values.map(percent);
}

function errors({ makespan, refused }: ValidationSummary): Row {
  return [
    percent(makespan.median),
    percent(makespan.p90),
    percent(makespan.mean),
    refused === 0 ? '' : String(refused),
  ];
}

function percent(share: number): string {
  return Number.isNaN(share) ? '-' : `${(share * 100).toFixed(1)} %`;
}

function table(head: Row, rows: readonly Row[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return `${lines.map((cells) => `| ${cells.map(cellText).join(' | ')} |`).join('\n')}\n`;
}

/** A cell must not end its column or row. */
function cellText(cell: string): string {
  return cell.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ');
}
