import { createRequire } from 'node:module';
import type { CheckResult, Finding, Place, Verdict } from '@griddep/insight';
import { type SarifFinding, type SarifPlace, type SarifRule, sarifLog } from './sarif.ts';

/** The log that `check --format sarif` prints: a rule for each kind of finding, the calls of both accesses as places. */
export function checkSarif({ findings, assume, verdict }: CheckResult) {
  const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
  const kinds = [...new Set(findings.map(({ kind }) => kind))].sort();
  const rules = kinds.map((kind) => ruleOf(kind, findings));
  return sarifLog({ name: 'griddep check', version, rules }, findings.map(resultOf), { assume, verdict });
}

function ruleOf(kind: string, findings: readonly Finding[]): SarifRule {
  const alike = findings.filter((finding) => finding.kind === kind);
  const levels = alike.map(({ verdict }) => levelOf(verdict));
  const level = levels.find((each) => each === 'error') ?? levels.find((each) => each === 'warning') ?? 'note';
  const rules = [...new Set(alike.flatMap((each) => each.rules))];
  return { id: kind, level, text: `${alike[0]?.verdict}: ${kind}`, properties: { rules } };
}

function resultOf(finding: Finding): SarifFinding {
  const { kind, verdict, text, change, missingEdge, places, hiddenByHardware, count } = finding;
  // The call that something is wrong with is the last: the one that comes too early.
  const [main, ...related] = places.map(placeOf).reverse();
  return {
    ...{ rule: kind, level: levelOf(verdict), place: main, related, count },
    message: change === undefined ? text : `${text} Change: ${change}.`,
    properties: { verdict, hiddenByHardware, ...(missingEdge === undefined ? {} : { missingEdge: missingEdge.text }) },
  };
}

function levelOf(verdict: Verdict): SarifFinding['level'] {
  if (verdict === 'lint') return 'note';
  return verdict === 'unknown' || verdict === 'possible deadlock' ? 'warning' : 'error';
}

function placeOf({ file, line, column, name, thread, call }: Place): SarifPlace {
  const subject = { name, fullyQualifiedName: `${thread}[${call}] ${name}`, kind: 'function' };
  if (line === undefined || column === undefined || file === undefined || file === '') return { subject };
  return { file, line, column, subject };
}
