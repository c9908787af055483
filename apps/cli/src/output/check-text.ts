import type { CheckResult, Finding, Verdict } from '@griddep/insight';

/** The worst first. */
const ORDER: readonly Verdict[] = [
  'deadlock',
  'CUDA error',
  'race',
  'relies on fence and trigger',
  'possible deadlock',
  'unknown',
  'lint',
];

/** Findings as text, one paragraph each, and a line that counts them. */
export function checkText({ program, assume, verdict, findings, operations }: CheckResult): string {
  const sorted = [...findings].sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict));
  const counts = ORDER.flatMap((each) => {
    const count = findings.filter((finding) => finding.verdict === each).length;
    return count === 0 ? [] : [`${count} ${each}`];
  });
  const summary = counts.length === 0 ? 'nothing found' : counts.join(', ');
  const head = `${program}: ${verdict} by ${READINGS[assume]}; ${operations} operations, ${summary}\n`;
  const more =
    sorted.length > MOST_SHOWN ? `and ${sorted.length - MOST_SHOWN} more, which --format json lists\n\n` : '';
  return [...sorted.slice(0, MOST_SHOWN).map(paragraph), more, head].join('');
}

/** Findings shown as text. */
const MOST_SHOWN = 50;

const READINGS = {
  contract: 'the contract',
  hardware: 'completion in order, as an H200 does it',
  strict: 'the strict reading of the wait',
} as const;

function paragraph({ verdict, kind, text, change, missingEdge, rules, count }: Finding): string {
  const lines = [`${verdict} (${kind}): ${text}`];
  if (missingEdge !== undefined) lines.push(`  missing: ${missingEdge.text}`);
  if (change !== undefined) lines.push(`  change: ${change}`);
  const notes = [
    ...(rules.length === 0 ? [] : [`rule${rules.length > 1 ? 's' : ''} ${rules.join(', ')}`]),
    ...(count > 1 ? [`${count} times`] : []),
  ];
  if (notes.length > 0) lines.push(`  ${notes.join('; ')}`);
  return `${lines.join('\n')}\n\n`;
}
