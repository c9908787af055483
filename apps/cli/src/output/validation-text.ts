import {
  type CaseComparison,
  type HostChoice,
  isRefused,
  partOf,
  type RefusedCase,
  type Spread,
  type ValidationReport,
  type ValidationSummary,
} from '@griddep/hardware';
import { renderColumns } from './columns.ts';
import { percent, signedPercent, us } from './number-format.ts';
import { familyTable, HOST_NOTES, partTable, refusedTable } from './validation-parts.ts';

type Result = CaseComparison | RefusedCase;

/** Every case, the worst ones with what is displaced most in them, families, parts, and all together. */
export function validationText(
  results: readonly Result[],
  summary: ValidationSummary,
  { parts: byPart, families }: ValidationReport,
  { worst, host }: { readonly worst: number; readonly host: HostChoice },
): string {
  const compared = results.filter((result): result is CaseComparison => !isRefused(result));
  const refused = results.filter(isRefused);
  const parts = [caseTable(compared)];
  if (refused.length > 0) parts.push(refusedTable(refused));
  if (compared.length > 0) parts.push(worstTable(compared, worst));
  parts.push(familyTable(families), partTable(byPart), `${summaryTable(summary)}${HOST_NOTES[host]}\n`);
  return parts.join('\n');
}

function caseTable(cases: readonly CaseComparison[]): string {
  return renderColumns(
    [
      { title: 'case' },
      { title: 'measured us', align: 'right' },
      { title: 'simulated us', align: 'right' },
      { title: 'makespan error', align: 'right' },
      { title: 'beyond range', align: 'right' },
      { title: 'placement', align: 'right' },
      { title: 'overlaps agree', align: 'right' },
      { title: 'part' },
      { title: 'judged by' },
    ],
    cases.map((c) => [
      c.name,
      us(c.measuredMakespanNs),
      us(c.simulatedMakespanNs),
      signedPercent(c.makespanError),
      percent(c.makespanErrorBeyondRange),
      percent(c.placementError),
      percent(c.overlapAgreement),
      partOf(c.name),
      c.judgedBy === 'device intervals' ? '' : c.judgedBy,
    ]),
  );
}

function worstTable(cases: readonly CaseComparison[], count: number): string {
  const sorted = [...cases].sort((a, b) => Math.abs(b.makespanError) - Math.abs(a.makespanError)).slice(0, count);
  return renderColumns(
    [
      { title: `worst ${sorted.length}` },
      { title: 'makespan error', align: 'right' },
      { title: 'displaced most' },
      { title: 'by us', align: 'right' },
    ],
    sorted.map((c) => [c.name, signedPercent(c.makespanError), c.worst.label, us(c.worst.displacedNs, 2)]),
  );
}

function summaryTable(summary: ValidationSummary): string {
  const row = (name: string, { median, p90, worst }: Spread) => [name, percent(median), percent(p90), percent(worst)];
  const table = renderColumns(
    [
      { title: `${summary.cases} cases` },
      { title: 'median', align: 'right' },
      { title: '90 %', align: 'right' },
      { title: 'worst', align: 'right' },
    ],
    [
      row('makespan error', summary.makespan),
      row("beyond the hardware's range", summary.makespanBeyondRange),
      row('placement error', summary.placement),
    ],
  );
  const overlap = `overlap agreement ${percent(summary.overlapAgreement)} (${summary.judgedPairs} pairs judged)\n`;
  const refused = summary.refused === 0 ? '' : `${summary.refused} cases refused\n`;
  return (
    table + overlap + refused + (summary.unmeasured === 0 ? '' : `${summary.unmeasured} cases with nothing measured\n`)
  );
}
