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
  const gap = begins(second, finding.accesses[1] as FoundAccess) - first.end;
  if (!Number.isFinite(gap)) return finding;
  const [a, b] = finding.accesses.map(({ place }) => `"${place.name}"`);
  const text =
    gap >= 0
      ? `${b} comes ${us(gap)} after ${a} has ended: timing hides the race, until something takes that much longer`
      : second.end < first.start
        ? `${b} is over ${us(first.start - second.end)} before ${a} begins`
        : `the two overlap, ${b} from ${us(-gap)} before the end of ${a} on`;
  const which = finding.count > 1 ? `the first of ${finding.count} times ` : '';
  return { ...finding, simulatedGapNs: gap / 1e3, text: `${finding.text} Simulated, ${which}${text}.` };
}

/** When an operation can first touch what it does: what blocks write stands at their ends. */
function begins({ kind, start, firstEnd }: Operation, { mode }: FoundAccess): number {
  return kind === 'kernel' && mode !== 'read' && Number.isFinite(firstEnd) ? firstEnd : start;
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
