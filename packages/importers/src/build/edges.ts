import type { Findings } from '../findings.ts';
import { streamKey } from '../overlaps.ts';
import type { Trace, TraceWait } from '../trace.ts';

/** A record of an event that something is known to wait for. */
export interface KnownRecord {
  /** Name of the event in the program. */
  readonly event: string;
  readonly device: number;
  readonly streamKey: string;
}

/** What ties streams together in one trace, by the correlation of calls (see `correlationKey`). */
export interface Edges {
  readonly records: ReadonlyMap<string, KnownRecord>;
  /** Waits of streams and of the host for events, with the key of the record; undefined where it is not known. */
  readonly waits: ReadonlyMap<string, { readonly wait: TraceWait; readonly record: string | undefined }>;
}

/** Calls and what they caused meet here. Kineto's ids hold for the file, those of Nsight Systems for a process. */
export function correlationKey(trace: Trace, process: string, correlation: number): string {
  return trace.source === 'kineto' ? String(correlation) : `${process} ${correlation}`;
}

interface Candidate {
  readonly key: string;
  readonly start: number;
}

/**
 * Resolves all waits of a trace, after all of it was read: profilers write a wait before the record that it is for. A
 * wait names the record's correlation; where it does not (-1), it is for the latest record of its event that was called
 * before.
 */
export function resolveEdges(trace: Trace, prefix: string, findings: Findings): Edges {
  const callStart = new Map<string, number>();
  for (const { correlation, start, thread } of trace.calls) {
    if (correlation > 0) callStart.set(correlationKey(trace, trace.threads[thread]?.process ?? '', correlation), start);
  }
  const known = new Map<string, { event: number; device: number; streamKey: string; process: string }>();
  const bySync = new Map<string, string>();
  for (const record of trace.records) {
    const key = correlationKey(trace, record.process, record.correlation);
    known.set(key, { ...record, streamKey: streamKey(record) });
    if (record.sync >= 0) bySync.set(`${record.process} ${record.sync}`, key);
  }
  for (const wait of trace.waits) {
    if (wait.record <= 0 || wait.recordStream < 0) continue;
    const key = correlationKey(trace, wait.process, wait.record);
    if (!known.has(key)) known.set(key, { ...wait, streamKey: streamKey({ ...wait, stream: wait.recordStream }) });
  }
  const byEvent = new Map<string, Candidate[]>();
  for (const [key, { event, process }] of known) {
    const start = callStart.get(key);
    if (event < 0 || start === undefined) continue;
    const name = `${process} ${event}`;
    byEvent.set(name, [...(byEvent.get(name) ?? []), { key, start }]);
  }
  const latest = (wait: TraceWait): string | undefined => {
    const before = callStart.get(correlationKey(trace, wait.process, wait.correlation));
    if (before === undefined || wait.event < 0) return undefined;
    const candidates = byEvent.get(`${wait.process} ${wait.event}`)?.filter(({ start }) => start < before) ?? [];
    return candidates.sort((a, b) => b.start - a.start)[0]?.key;
  };
  const records = new Map<string, KnownRecord>();
  const waits = new Map<string, { wait: TraceWait; record: string | undefined }>();
  for (const wait of trace.waits) {
    const key = correlationKey(trace, wait.process, wait.correlation);
    let record: string | undefined;
    if (wait.kind === 'streamWait' || wait.kind === 'event') {
      record =
        wait.record > 0
          ? correlationKey(trace, wait.process, wait.record)
          : (bySync.get(`${wait.process} ${wait.sync}`) ?? latest(wait));
      const found = record === undefined ? undefined : known.get(record);
      if (record === undefined || found === undefined || !callStart.has(record)) {
        const of = wait.kind === 'streamWait' ? 'stream waits' : 'waits of the host for an event';
        if (wait.kind === 'streamWait')
          findings.add('unknown', `${of} whose record is not in the file`, `correlation ${wait.correlation}`);
        record = undefined;
      } else if (!records.has(record)) {
        records.set(record, { event: `${prefix}event ${record}`, device: found.device, streamKey: found.streamKey });
      }
    }
    waits.set(key, { wait, record });
  }
  return { records, waits };
}
