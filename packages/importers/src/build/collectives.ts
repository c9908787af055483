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
 */
export function matchCollectives(traces: readonly Trace[], findings: Findings): Map<TraceOperation, MatchedCollective> {
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
    for (let n = 0; n < (counts[0] as number); n++) {
      const row = lists.map((list) => list[n] as TraceOperation);
      const flags = row.map((_, rank) => `collective ${group.trim()} ${n} rank ${rank}`);
      const duration = Math.min(...row.map(({ start, end }) => end - start));
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
