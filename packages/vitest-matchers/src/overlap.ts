import { formatUs, type Operation } from '@griddep/timeline';
import { interval, operationsOf, runText, troubleText } from './operations.ts';
import { type MachineOption, timelineOf } from './received.ts';
import type { MatcherResult } from './result.ts';

/** Whether two operations run at once for some time; of several of one name, whether any two do. */
export function toOverlap(received: unknown, a: string, b: string, options: MachineOption = {}): MatcherResult {
  const timeline = timelineOf(received, 'toOverlap', options);
  const [ofA, ofB] = [operationsOf(timeline, a), operationsOf(timeline, b)];
  const pairs = ofA.flatMap((first) => ofB.map((second) => ({ first, second, time: sharedTime(first, second) })));
  // The pair that overlaps longest, or comes closest to it.
  const [best] = pairs.filter(({ first, second }) => first !== second).sort((x, y) => y.time - x.time);
  if (best === undefined) throw new Error(`toOverlap: "${a}" and "${b}" are one operation`);
  const { first, second, time } = best;
  const pass = time > 0;
  return {
    pass,
    message: () =>
      `expected "${a}" ${pass ? 'not to overlap' : 'to overlap'} "${b}"${pass ? `; they do for ${formatUs(time)} us` : ''}:\n  ${runText(timeline, first)}\n  ${runText(timeline, second)}${troubleText(timeline)}`,
  };
}

/** For how long two run at once, ps; negative the time between them, or without end if one never runs. */
function sharedTime(first: Operation, second: Operation): number {
  const [x, y] = [interval(first), interval(second)];
  const time = Math.min(endless(x.end), endless(y.end)) - Math.max(x.start, y.start);
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
}

/** What has begun and never ends overlaps all that comes. */
function endless(end: number): number {
  return Number.isNaN(end) ? Number.MAX_SAFE_INTEGER : end;
}
