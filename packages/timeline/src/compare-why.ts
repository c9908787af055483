import { causeText } from './cause.ts';
import type { OperationChange } from './compare.ts';
import { formatUs } from './instants.ts';
import type { Operation } from './operation.ts';
import type { Timeline } from './timeline.ts';

/** One fact about an operation in the two timelines, in words. */
export interface FactChange {
  readonly fact: 'cause' | 'waited for' | 'SMs x most blocks per SM' | 'slowdown';
  readonly before: string;
  readonly after: string;
}

/** What changed in why an operation ran when it did and as long as it did; empty when nothing of it changed. */
export function whyChanged(before: Timeline, after: Timeline, change: OperationChange): FactChange[] {
  const a = before.operations[change.before];
  const b = after.operations[change.after];
  if (a === undefined || b === undefined) return [];
  const waits = [waitsOf(before, a), waitsOf(after, b)] as const;
  const facts: (FactChange | undefined)[] = [
    changed('cause', causeText(before, a.cause), causeText(after, b.cause)),
    waits[0].names === waits[1].names
      ? undefined
      : { fact: 'waited for', before: waits[0].lengths, after: waits[1].lengths },
    changed('SMs x most blocks per SM', placementOf(a), placementOf(b)),
    changed('slowdown', slowdownOf(a), slowdownOf(b)),
  ];
  return facts.filter((fact) => fact !== undefined);
}

function changed(fact: FactChange['fact'], before: string, after: string): FactChange | undefined {
  return before === after ? undefined : { fact, before, after };
}

/** In order of their ends; a wait that only got longer is no other wait. */
function waitsOf(timeline: Timeline, { waits }: Operation): { readonly names: string; readonly lengths: string } {
  const names = waits.map((wait) => causeText(timeline, wait));
  const lengths = waits.map((wait, i) => `${names[i]} ${formatUs(wait.until - wait.from, 2)} us`);
  return { names: names.join(', ') || 'nothing', lengths: lengths.join(', ') || 'nothing' };
}

function placementOf({ sms, maxBlocksPerSm }: Operation): string {
  return sms === 0 ? '-' : `${sms} x ${maxBlocksPerSm}`;
}

function slowdownOf({ slowdown }: Operation): string {
  const factors = slowdown.map(({ resource, factor }) => `${resource} ${factor.toFixed(2)}`);
  return factors.join(', ') || 'none';
}
