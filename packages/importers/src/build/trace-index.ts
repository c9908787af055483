import type { Trace, TraceCall, TraceOperation } from '../trace.ts';
import { correlationKey } from './edges.ts';

/** What each call of a trace caused, and what no call of the file did. */
export interface TraceIndex {
  readonly byCall: ReadonlyMap<TraceCall, readonly TraceOperation[]>;
  /** Operations whose call came before the file begins, in order of start. */
  readonly orphans: readonly TraceOperation[];
}

/** Operations by their call, through correlation ids; 0 is no id. */
export function indexTrace(trace: Trace): TraceIndex {
  const calls = new Map<string, TraceCall>();
  for (const call of trace.calls) {
    if (call.correlation <= 0) continue;
    // A runtime call and the driver call below it bear the same id in some schemas: the outer comes first.
    const key = correlationKey(trace, trace.threads[call.thread]?.process ?? '', call.correlation);
    if (!calls.has(key)) calls.set(key, call);
  }
  const byCall = new Map<TraceCall, TraceOperation[]>();
  const orphans: TraceOperation[] = [];
  for (const operation of trace.operations) {
    const key = correlationKey(trace, operation.process, operation.correlation);
    const call = operation.correlation > 0 ? calls.get(key) : undefined;
    if (call === undefined) {
      orphans.push(operation);
      continue;
    }
    const list = byCall.get(call);
    if (list === undefined) byCall.set(call, [operation]);
    else list.push(operation);
  }
  return { byCall, orphans };
}

/**
 * A trace that is cut, without the operations whose call may be in the part that is missing: they must not pass for
 * such that were enqueued before the trace began.
 */
export function withoutLostCalls(trace: Trace): Trace {
  if (trace.cut === undefined || trace.calls.length === 0) return trace;
  const { orphans } = indexTrace(trace);
  if (orphans.length === 0 || orphans.length === trace.operations.length) return trace;
  const lost = new Set(orphans);
  return {
    ...trace,
    operations: trace.operations.filter((operation) => !lost.has(operation)),
    ignored: new Map([...trace.ignored, ['operations whose call is in the part that is cut off', orphans.length]]),
  };
}
