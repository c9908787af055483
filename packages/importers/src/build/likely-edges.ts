import type { Findings } from '../findings.ts';
import { streamKey } from '../overlaps.ts';
import type { Trace, TraceCall, TraceOperation } from '../trace.ts';
import { roleOf } from './call-kinds.ts';
import { correlationKey, type Edges, type KnownRecord } from './edges.ts';
import type { TraceIndex } from './trace-index.ts';

/** A record and a wait that may belong together. */
interface Candidate {
  readonly record: TraceCall;
  readonly wait: TraceCall;
  /** The last operation before the record in its stream, and the first after the wait in its own. */
  readonly before: TraceOperation;
  readonly after: TraceOperation;
  /** Calls between the two, which tell places of the code apart. */
  readonly place: string;
}

/** Where a record of a thread's stands: its stream is that of the last work that the thread issued. */
interface Recorded {
  readonly call: TraceCall;
  readonly before: TraceOperation;
  readonly from: number;
}

/**
 * Adds what the order of calls makes likely where a trace does not tell the streams of records and waits: frameworks
 * record in the stream that they have just used, and let the stream wait that they use next, for the latest record of
 * another. What the trace refutes is dropped, with all that stands at the same place of the code: there the later
 * operation has once run before the earlier had ended.
 */
export function withLikelyEdges(
  trace: Trace,
  { byCall }: TraceIndex,
  edges: Edges,
  prefix: string,
  findings: Findings,
): Edges {
  const keyOf = (call: TraceCall) => correlationKey(trace, trace.threads[call.thread]?.process ?? '', call.correlation);
  const candidates = candidatesOf(trace, byCall, (call) => {
    const key = keyOf(call);
    return call.correlation > 0 && !edges.records.has(key) && edges.waits.get(key)?.record === undefined;
  });
  const refuted = new Set(candidates.filter(({ before, after }) => after.start < before.end).map(({ place }) => place));
  const records = new Map<string, KnownRecord>(edges.records);
  const waits = new Map(edges.waits);
  for (const { record, wait, before, after, place } of candidates) {
    if (refuted.has(place)) continue;
    const key = keyOf(record);
    records.set(key, { event: `${prefix}event ${key}`, device: before.device, streamKey: streamKey(before) });
    waits.set(keyOf(wait), { wait: waitOf(wait, after), record: key });
    findings.add('assumed', 'stream waits from the order of calls alone', `${wait.name} ${wait.correlation}`);
  }
  return { records, waits };
}

function waitOf(call: TraceCall, { process, device, context, stream }: TraceOperation) {
  const { correlation } = call;
  return {
    kind: 'streamWait',
    process,
    device,
    context,
    stream,
    correlation,
    event: -1,
    sync: -1,
    record: -1,
    recordStream: -1,
  } as const;
}

function candidatesOf(
  trace: Trace,
  byCall: TraceIndex['byCall'],
  isUnknown: (call: TraceCall) => boolean,
): Candidate[] {
  const candidates: Candidate[] = [];
  const last = new Map<number, TraceOperation>();
  const waiting = new Map<number, { call: TraceCall; records: readonly Recorded[]; at: number }[]>();
  /** Of each stream the latest record. */
  const recorded = new Map<string, Recorded>();
  /** What each thread has called, by role. */
  const roles: string[] = [];
  for (const call of trace.calls) {
    const role = roleOf(call.name);
    const made = byCall.get(call);
    if (made !== undefined) {
      const after = made[0] as TraceOperation;
      for (const { call: wait, records, at } of waiting.get(call.thread) ?? []) {
        const found = records.filter(({ before }) => streamKey(before) !== streamKey(after)).at(-1);
        if (found === undefined) continue;
        const between = roles.slice(found.from, at).join();
        const streams = `${streamKey(found.before)} > ${streamKey(after)}`;
        const place = `${streams}: ${between} | ${roles.slice(at).join()}`;
        candidates.push({ record: found.call, wait, before: found.before, after, place });
      }
      waiting.delete(call.thread);
      last.set(call.thread, made.at(-1) as TraceOperation);
    }
    if (role !== 'other' && role !== 'memory') roles.push(role);
    if (made !== undefined || !isUnknown(call)) continue;
    const before = last.get(call.thread);
    if (role === 'record' && before !== undefined) {
      recorded.delete(streamKey(before));
      recorded.set(streamKey(before), { call, before, from: roles.length });
    } else if (role === 'streamWait') {
      const list = waiting.get(call.thread) ?? [];
      waiting.set(call.thread, [...list, { call, records: [...recorded.values()], at: roles.length }]);
    }
  }
  return candidates;
}
