import type { Finding } from '../finding.ts';
import { type Places, placeText } from '../places.ts';
import type { Recorded } from '../program/recorded.ts';
import { earlyLaunchLint } from './early-launches.ts';
import { eventLint } from './events.ts';
import { hostLint } from './host.ts';
import { streamLint } from './streams.ts';

/** What CUDA allows and costs time, or does nothing of what it seems to. Alike ones of one place are one. */
export function lintFindings(recorded: Recorded, places: Places): Finding[] {
  const all = [
    ...earlyLaunchLint(recorded, places),
    ...eventLint(recorded, places),
    ...streamLint(recorded, places),
    ...hostLint(recorded, places),
  ];
  const found = new Map<string, Finding>();
  for (const lint of all) {
    const key = `${lint.kind} ${lint.places.map(placeText).join(' ')} ${lint.text}`;
    const count = (found.get(key)?.count ?? 0) + 1;
    found.set(key, { ...lint, verdict: 'lint', accesses: [], hiddenByHardware: false, count });
  }
  return [...found.values()];
}
