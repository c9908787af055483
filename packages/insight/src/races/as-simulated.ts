import type { Program } from '@griddep/program';
import type { Operation, Timeline } from '@griddep/timeline';
import { mapThreads } from '../changes/entries.ts';
import type { CheckResult, Finding, FoundAccess, Place } from '../finding.ts';

/**
 * Says of each race what a simulated run makes of it: whether its two operations overlapped, or how far they lay apart, so
 * that the machine's timing hides the race there. Nothing else of the findings changes: timing is no order.
 *
 * @param simulate one run of a program on the machine that was checked for
 */
export async function withSimulatedTimes(
  result: CheckResult,
  program: Program,
  simulate: (program: Program) => Promise<Timeline>,
): Promise<CheckResult> {
  if (!result.findings.some(isTimed)) return result;
  const named = withOwnLabels(program);
  const { operations } = await simulate(named.program);
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const operationAt = (place: Place | undefined) => (place === undefined ? undefined : byId.get(named.idOf(place)));
  const findings = result.findings.map((finding) => {
    if (!isTimed(finding)) return finding;
    const [first, second] = finding.accesses.map(({ place }) => operationAt(place));
    return first === undefined || second === undefined ? finding : timed(finding, first, second);
  });
  return { ...result, findings };
}

function isTimed({ verdict, accesses }: Finding): boolean {
  return (verdict === 'race' || verdict === 'relies on fence and trigger') && accesses.length === 2;
}

function timed(finding: Finding, first: Operation, second: Operation): Finding {
  const [one, other] = finding.accesses as readonly [FoundAccess, FoundAccess];
  const [writesFirst, writesSecond] = [writes(one), writes(other)];
  const [a, b] = [`"${one.place.name}"`, `"${other.place.name}"`];
  // A kernel reads from its first blocks' begin on, and what it writes stands at its blocks' ends.
  const [gap, what] = writesFirst
    ? writesSecond
      ? [second.end - first.end, `${b} ends %t %o ${a}`]
      : [second.start - first.end, `${b} begins %t %o ${a} has ended`]
    : [
        earliestEnd(second) - latestBegin(first),
        `${b} ends %t %o ${Number.isFinite(first.lastStart) ? `the last block of ${a}` : a} has begun`,
      ];
  if (!Number.isFinite(gap)) return finding;
  const order = what.replace('%t', us(Math.abs(gap))).replace('%o', gap < 0 ? 'before' : 'after');
  const so = gap < 0 ? '' : ': timing hides the race, until something takes that much longer';
  return { ...finding, simulatedGapNs: gap / 1e3, text: `${finding.text} Simulated, ${order}${so}.` };
}

function writes({ mode }: FoundAccess): boolean {
  return mode !== 'read';
}

function earliestEnd({ firstEnd, end }: Operation): number {
  return Number.isFinite(firstEnd) ? firstEnd : end;
}

function latestBegin({ lastStart, start }: Operation): number {
  return Number.isFinite(lastStart) ? lastStart : start;
}

function us(ps: number): string {
  return `${(ps / 1e6).toFixed(1)} us`;
}

/** The program with a label of its own for each call, and the id that the operation of a place has in its timeline. */
function withOwnLabels(program: Program): { program: Program; idOf(place: Place): string } {
  const threads = new Map(program.threads.map(({ name }, index) => [name, index]));
  const label = (thread: string, call: number) => `${threads.get(thread)}:${call}`;
  return {
    program: mapThreads(program, (entries, thread) =>
      entries.map((entry, i) => ({ ...entry, label: label(thread.name, i) })),
    ),
    idOf: ({ thread, call, node, launchedBy }) => {
      if (launchedBy === undefined) return label(thread, call);
      return `${label(launchedBy.thread, launchedBy.call)}/${node ?? label(thread, call)}`;
    },
  };
}
