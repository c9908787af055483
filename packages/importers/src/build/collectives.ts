import type { Findings } from '../findings.ts';
import type { Trace, TraceOperation } from '../trace.ts';

/** A collective whose members are all there. */
export interface MatchedCollective {
  /** Flags of the members that this one waits for, and its own. */
  readonly own: string;
  readonly others: readonly string[];
  /** From the arrival of the last member to the end, as a profiler sees it: the shortest of the members' times, ps. */
  readonly duration: number;
}

/**
 * Collectives matched across the ranks of a set of traces: the n-th of a process group in each. NCCL's kernel runs from
 * its own rank's arrival, so that all but the last spend part of their time waiting.
 *
 * @param options isUsual: each takes the time that its like usually take, as when none is the first of its kind any more
 */
export function matchCollectives(
  traces: readonly Trace[],
  findings: Findings,
  { isUsual = false }: { readonly isUsual?: boolean } = {},
): Map<TraceOperation, MatchedCollective> {
  const groups = new Map<string, Map<number, TraceOperation[]>>();
  traces.forEach((trace, index) => {
    for (const operation of trace.operations) {
      if (operation.collective === undefined) {
        if (/^nccl.*Kernel/.test(operation.name)) {
          findings.add('unknown', 'collectives that do not name their group', operation.name);
        }
        continue;
      }
      const { group } = operation.collective;
      const members = groups.get(group) ?? new Map<number, TraceOperation[]>();
      groups.set(group, members);
      members.set(index, [...(members.get(index) ?? []), operation]);
    }
  });
  const matched = new Map<TraceOperation, MatchedCollective>();
  for (const [group, members] of groups) {
    const lists = [...members.values()];
    const counts = lists.map((list) => list.length);
    const size = lists[0]?.[0]?.collective?.size ?? 0;
    const isComplete = lists.length === size && size > 1 && counts.every((count) => count === counts[0]);
    if (!isComplete) {
      const total = counts.reduce((sum, count) => sum + count, 0);
      const why =
        lists.length < size
          ? 'collectives whose other ranks are in no file'
          : 'collectives that ranks made in different numbers';
      findings.add('unknown', why, `group ${group}`, total);
      continue;
    }
    const rows = Array.from({ length: counts[0] as number }, (_, n) => lists.map((list) => list[n] as TraceOperation));
    const usual = isUsual ? usualTimes(rows) : undefined;
    for (const [n, row] of rows.entries()) {
      const flags = row.map((_, rank) => `collective ${group.trim()} ${n} rank ${rank}`);
      const duration = usual?.get(likeness(row)) ?? shortest(row);
      row.forEach((operation, rank) => {
        matched.set(operation, {
          own: flags[rank] as string,
          others: flags.filter((_, other) => other !== rank),
          duration,
        });
      });
    }
  }
  return matched;
}

function shortest(row: readonly TraceOperation[]): number {
  return Math.min(...row.map(({ start, end }) => end - start));
}

/** Collectives of one kernel and size are alike. */
function likeness(row: readonly TraceOperation[]): string {
  return row.map(({ name, grid, block, bytes }) => `${name} ${grid} ${block} ${bytes}`).join('\n');
}

/** The median time of each kind, ps. */
function usualTimes(rows: readonly (readonly TraceOperation[])[]): Map<string, number> {
  const times = new Map<string, number[]>();
  for (const row of rows) times.set(likeness(row), [...(times.get(likeness(row)) ?? []), shortest(row)]);
  return new Map(
    [...times].map(([kind, list]) => [kind, list.sort((a, b) => a - b)[Math.floor((list.length - 1) / 2)] as number]),
  );
}
