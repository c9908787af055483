import { formatUs } from '@griddep/timeline';
import { completionOf, interval, operationsOf, runText, troubleText } from './operations.ts';
import { type MachineOption, timelineOf } from './received.ts';
import type { MatcherResult } from './result.ts';

/** Whether one is complete before the other starts; of several of one name, all before the first of the others. */
export function toRunBefore(received: unknown, a: string, b: string, options: MachineOption = {}): MatcherResult {
  const timeline = timelineOf(received, 'toRunBefore', options);
  const last = [...operationsOf(timeline, a)].sort((x, y) => late(completionOf(y)) - late(completionOf(x)))[0];
  const first = [...operationsOf(timeline, b)].sort((x, y) => late(interval(x).start) - late(interval(y).start))[0];
  if (last === undefined || first === undefined || last === first) {
    throw new Error(`toRunBefore: "${a}" and "${b}" are one operation`);
  }
  const [completion, start] = [completionOf(last), interval(first).start];
  const pass = completion <= start;
  const gap = Number.isNaN(completion - start) ? '' : ` by ${formatUs(Math.abs(completion - start))} us`;
  return {
    pass,
    message: () =>
      `expected "${a}" ${pass ? 'not to be' : 'to be'} complete before "${b}" starts; ${pass ? `it is${gap}` : `it is not${gap}`}:\n  ${runText(timeline, last)}, complete at ${formatUs(completion)} us\n  ${runText(timeline, first)}${troubleText(timeline)}`,
  };
}

/** What never comes is the last. */
function late(instant: number): number {
  return Number.isNaN(instant) ? Number.MAX_SAFE_INTEGER : instant;
}
