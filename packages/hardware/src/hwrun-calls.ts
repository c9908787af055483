import type { HwrunCase, HwrunOp } from './hwrun-format.ts';
import type { MeasuredCall, MeasuredCallKind } from './measured-case.ts';

const COPIES: Readonly<Record<string, MeasuredCallKind>> = {
  h2d: 'memcpyUp',
  d2h: 'memcpyDown',
  d2d: 'memcpyWithin',
  p2pwrite: 'memcpyPeerWrite',
  p2pread: 'memcpyPeerRead',
};
const OTHERS: Readonly<Record<string, MeasuredCallKind>> = {
  memset: 'memset',
  query: 'query',
  hostfunc: 'launchHostFunc',
  freeasync: 'freeAsync',
};

/**
 * What the calls of a case took the host. Calls that block (synchronises, pageable copies) or that depend on what was
 * called before (allocations) are left out.
 */
export function callsFromHwrun(source: HwrunCase): MeasuredCall[] {
  const { ops, measured } = source;
  if (ops.length !== measured.ops.length) return [];
  const calls: MeasuredCall[] = [];
  let before: number | undefined;
  for (const [i, op] of ops.entries()) {
    const { hostBegin, hostEnd } = measured.ops[i] ?? {};
    if (hostBegin === undefined || hostEnd === undefined) {
      before = undefined;
      continue;
    }
    const timedCopy = source.mode === 'stream' && op.op === 'copy' && op.untimed !== true;
    if (source.mode === 'stream' && before !== undefined && !timedCopy) {
      calls.push({ kind: 'callGap', durationNs: hostBegin - before });
    }
    const kind = source.mode === 'graph' ? 'capturedCall' : kindOf(op, source);
    if (kind !== undefined) calls.push({ kind, durationNs: hostEnd - hostBegin });
    // A record follows a timed copy before the next call.
    before = timedCopy ? undefined : hostEnd;
  }
  const { graphLaunch } = measured.apiMean ?? {};
  if (graphLaunch !== undefined) calls.push({ kind: 'graphLaunch', durationNs: graphLaunch });
  return calls;
}

function kindOf(op: HwrunOp, source: HwrunCase): MeasuredCallKind | undefined {
  const event = source.events.find(({ id }) => id === op.event);
  const stream = source.streams.find(({ id }) => id === op.stream);
  switch (op.op) {
    case 'launch':
      return op.attrs?.includes('pdl') === true ? 'launchKernelProgrammatic' : 'launchKernel';
    case 'copy':
      return COPIES[op.kind ?? ''];
    case 'record':
      return event?.timing === true ? 'eventRecordTiming' : 'eventRecord';
    case 'wait':
      return event?.device === stream?.device ? 'streamWaitEvent' : 'streamWaitEventOtherDevice';
    default:
      return OTHERS[op.op];
  }
}
