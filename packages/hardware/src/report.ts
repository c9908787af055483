import { medianSorted } from 'simple-statistics';
import type { CaseComparison } from './comparison.ts';
import { CASE_KINDS, type CaseKind, familyOf, kindOfCase } from './family.ts';
import type { JudgedBy } from './judged-by.ts';
import { isRefused, type RefusedCase } from './simulate-case.ts';
import { PARTS, type Part, partOf } from './split.ts';
import { summarize, type ValidationSummary } from './summary.ts';

type Result = CaseComparison | RefusedCase;

/** The cases of one part and kind. */
export interface PartSummary {
  readonly part: Part;
  /** Absent: of all kinds. */
  readonly kind?: CaseKind;
  readonly summary: ValidationSummary;
}

export interface FamilySummary {
  readonly family: string;
  readonly kind: CaseKind;
  readonly judgedBy: JudgedBy | 'both';
  readonly fit: number;
  readonly heldOut: number;
  readonly summary: ValidationSummary;
  /** Median of the signed makespan error: above 0 where the simulation takes longer. */
  readonly bias: number;
}

/** Figures by part, and in parts by kind; and by family, the largest mean error first. */
export interface ValidationReport {
  readonly parts: readonly PartSummary[];
  readonly families: readonly FamilySummary[];
}

export function reportOf(all: readonly Result[]): ValidationReport {
  const results = all.filter((result) => !isRefused(result) || result.unmeasured !== true);
  return { parts: PARTS.flatMap((part) => partSummaries(part, results)), families: familySummaries(results) };
}

function partSummaries(part: Part, results: readonly Result[]): PartSummary[] {
  const own = results.filter(({ name }) => partOf(name) === part);
  if (own.length === 0) return [];
  const kinds = CASE_KINDS.map((kind) => ({ kind, of: own.filter(({ name }) => kindOfCase(name) === kind) }));
  const present = kinds.filter(({ of }) => of.length > 0);
  const all: PartSummary = { part, summary: summarize(own) };
  if (present.length === 1) return [{ ...all, kind: (present[0] as (typeof present)[number]).kind }];
  return [all, ...present.map(({ kind, of }) => ({ part, kind, summary: summarize(of) }))];
}

function familySummaries(results: readonly Result[]): FamilySummary[] {
  const families = new Map<string, Result[]>();
  for (const result of results) {
    const family = familyOf(result.name);
    const members = families.get(family);
    if (members === undefined) families.set(family, [result]);
    else members.push(result);
  }
  const summaries = [...families].map(([family, members]) => familySummary(family, members));
  const error = ({ summary }: FamilySummary) =>
    summary.cases === 0 ? Number.POSITIVE_INFINITY : summary.makespan.mean;
  return summaries.sort((a, b) => error(b) - error(a));
}

function familySummary(family: string, members: readonly Result[]): FamilySummary {
  const compared = members.filter((r): r is CaseComparison => !isRefused(r));
  const ways = new Set(compared.map(({ judgedBy }) => judgedBy));
  const [way = 'device intervals'] = ways;
  const errors = compared.map(({ makespanError }) => makespanError).sort((a, b) => a - b);
  return {
    family,
    kind: kindOfCase(members[0]?.name ?? ''),
    judgedBy: ways.size > 1 ? 'both' : way,
    fit: members.filter(({ name }) => partOf(name) === 'fit').length,
    heldOut: members.filter(({ name }) => partOf(name) === 'held out').length,
    summary: summarize(members),
    bias: errors.length === 0 ? Number.NaN : medianSorted(errors),
  };
}
