import type { HostRecord, HostResult } from './host-record.ts';

/** What the hosts of all processes have recorded, as one. */
export interface JoinedHosts extends Omit<HostResult, 'unfinished'> {
  readonly unfinished: readonly (HostResult['unfinished'][number] & { readonly call: string })[];
}

/**
 * Joins what hosts recorded, and gives operations their ids: the author's label as it is the first time, and names
 * numbered in order of their calls. A part is named after the operation that it is of, which stands before it.
 */
export function joinHosts(hosts: readonly HostResult[]): JoinedHosts {
  const ids = new Map<string, number>();
  const unique = (name: string, numbered: boolean): string => {
    const n = ids.get(name) ?? 0;
    ids.set(name, n + 1);
    return numbered || n > 0 ? `${name}#${n}` : name;
  };
  let whole = '';
  const records = inOrder(hosts);
  for (const record of records) {
    const { label, name, isPart } = record;
    if (!isPart) whole = unique(label ?? name, label === undefined);
    record.id = isPart ? `${whole}/${label}` : whole;
  }
  const threads = hosts.flatMap((host) => host.unfinished);
  const stuckIn = new Map(
    threads.length === 0
      ? []
      : records.filter(({ op }) => threads.some(({ at }) => at === op)).map((r) => [r.op, r.id]),
  );
  return {
    records,
    errors: hosts.flatMap(({ errors }) => errors).sort((a, b) => a.op - b.op),
    end: Math.max(0, ...hosts.map(({ end }) => end)),
    unfinished: threads.map((thread) => ({ ...thread, call: thread.call ?? stuckIn.get(thread.at) ?? 'a call' })),
  };
}

function inOrder(hosts: readonly HostResult[]): HostRecord[] {
  return hosts.flatMap(({ records }) => records).sort((a, b) => a.callBegin - b.callBegin || a.op - b.op);
}
