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
