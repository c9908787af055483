import { type DurationInput, formatDuration, parseDuration } from '@griddep/program';
import { formatUs, lastInstant, type Operation, type Timeline } from '@griddep/timeline';
import { completionOf, runText, troubleText } from './operations.ts';
import { type MachineOption, timelineOf } from './received.ts';
import type { MatcherResult } from './result.ts';

/** Operations that a message tells of, from the last back to what each waited for. */
const MOST_TOLD = 4;

/** Whether all is over in a time from the start of the program, `500us` or picoseconds: operations and host calls. */
export function toFinishWithin(received: unknown, duration: DurationInput, options: MachineOption = {}): MatcherResult {
  const timeline = timelineOf(received, 'toFinishWithin', options);
  const limit = parseDuration(duration);
  const took = Math.max(lastInstant(timeline), Number.isNaN(timeline.hostTotal) ? 0 : timeline.hostTotal);
  const isStuck = timeline.stuck.length > 0;
  const pass = took <= limit && !isStuck;
  const told = lastOperations(timeline).map((operation) => `\n  ${runText(timeline, operation)}`);
  return {
    pass,
    message: () =>
      isStuck
        ? `expected "${timeline.program}" to finish within ${formatDuration(limit)}; it never does:${troubleText(timeline)}`
        : `expected "${timeline.program}" ${pass ? 'not to finish' : 'to finish'} within ${formatDuration(limit)}; it takes ${formatUs(took)} us, the last being${told.join('')}${troubleText(timeline)}`,
  };
}

/** The last to complete on a device, what it waited for, and so on. */
function lastOperations({ operations }: Timeline): Operation[] {
  const ended = operations.filter((operation) => operation.device >= 0 && completionOf(operation) >= 0);
  let next = ended.sort((a, b) => completionOf(b) - completionOf(a))[0];
  const told: Operation[] = [];
  while (next !== undefined && told.length < MOST_TOLD && !told.includes(next)) {
    told.push(next);
    next = next.cause.operation === undefined ? undefined : operations[next.cause.operation];
  }
  return told;
}
