import type { Finding } from './finding.ts';
import { type Places, placeText } from './places.ts';
import type { Recorded } from './program/recorded.ts';

/** Errors that calls return, and events whose meaning depends on which of two host threads comes first. */
export function errorFindings({ errors, openRecords }: Recorded, places: Places): Finding[] {
  const plain = { accesses: [], hiddenByHardware: false };
  const found = new Map<string, Finding>();
  const add = (finding: Omit<Finding, 'count'>): void => {
    const before = found.get(finding.text)?.count ?? 0;
    found.set(finding.text, { ...finding, count: before + 1 });
  };
  for (const { site, name, code, message, isLater } of errors) {
    const place = places.call(site);
    const text = `"${place.name}" at ${placeText(place)} ${isLater ? 'lets later calls return' : 'returns'} ${name} (${code}): ${message}`;
    add({ ...plain, kind: name, verdict: 'CUDA error', rules: [], places: [place], text });
  }
  for (const { event, record, use } of openRecords) {
    const [from, to] = [places.call(record), places.call(use)];
    add({
      ...{ ...plain, kind: 'open-record', verdict: 'race', rules: ['5.4'], places: [from, to] },
      missingEdge: { from, to, text: `the record of event "${event}" before the call that waits for it` },
      change: `let host thread "${from.thread}" signal after the record, and "${to.thread}" await it`,
      text: `event "${event}": which record "${to.name}" at ${placeText(to)} means depends on whether host thread "${from.thread}" has come to ${placeText(from)}; nothing orders the two`,
    });
  }
  return [...found.values()];
}
