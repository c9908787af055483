import type { Trace, TraceCall } from '../trace.ts';
import { callCost } from './call-cost.ts';
import { rangeCost } from './range-cost.ts';
import type { TraceIndex } from './trace-index.ts';

/** Pauses of which a median means something. */
const ENOUGH = 4;

/** A pause of the host, and what tells its place in the code: the calls around it. */
interface Pause {
  readonly call: TraceCall;
  readonly time: number;
  readonly between: string;
  readonly before: string;
}

/**
 * What the host does before each call of a trace, ps, without the profiler and once everything has run before: the time
 * since the call before, less what recording ranges and calls took of it, and of pauses between the same two calls the median,
 * since the first of a kind is slower. Pauses of a kind that is rare stay as they are, but for those before anything has
 * run on a device, which are the profiler's and the framework's start.
 */
export function usualPauses(trace: Trace, { byCall }: TraceIndex): Map<TraceCall, number> {
  const cost = rangeCost(trace);
  const recorded = callCost(trace);
  const pauses: Pause[] = [];
  const early = new Set<TraceCall>();
  trace.threads.forEach((_, thread) => {
    const begins = rangeBegins(trace, thread);
    let next = 0;
    let last: { readonly end: number; readonly name: string; readonly cost: number } | undefined;
    let hasRun = false;
    for (const call of trace.calls) {
      if (call.thread !== thread) continue;
      const made = byCall.get(call)?.[0];
      const name = `${call.name} ${made?.name ?? ''}`;
      const first = next;
      while (next < begins.length && (begins[next] as number) <= call.start) next++;
      const time = last === undefined ? 0 : Math.max(0, call.start - last.end - last.cost - cost * (next - first));
      pauses.push({ call, time, between: `${last?.name} > ${name}`, before: name });
      if (!hasRun) early.add(call);
      hasRun ||= made !== undefined;
      // What recording costs a call that makes something run is part of the call.
      last = { end: Math.max(call.end, last?.end ?? call.end), name, cost: made === undefined ? recorded : 0 };
    }
  });
  const between = medians(pauses.map(({ between: key, time }) => [key, time]));
  const before = medians(pauses.map(({ before: key, time }) => [key, time]));
  return new Map(
    pauses.map(({ call, time, ...keys }) => {
      const usual = between.get(keys.between) ?? (early.has(call) ? (before.get(keys.before) ?? 0) : time);
      return [call, usual];
    }),
  );
}

function rangeBegins({ ranges }: Trace, thread: number): number[] {
  const begins: number[] = [];
  for (let i = 0; i < ranges.length; i++) if (ranges.thread[i] === thread) begins.push(ranges.start[i] as number);
  return begins.sort((a, b) => a - b);
}

/** Medians of what there is enough of. */
function medians(rows: readonly (readonly [string, number])[]): Map<string, number> {
  const groups = new Map<string, number[]>();
  for (const [key, time] of rows) {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [time]);
    else group.push(time);
  }
  const found = new Map<string, number>();
  for (const [key, times] of groups) {
    if (times.length < ENOUGH) continue;
    times.sort((a, b) => a - b);
    found.set(key, times[Math.floor(times.length / 2)] as number);
  }
  return found;
}
