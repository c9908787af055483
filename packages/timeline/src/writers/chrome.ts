import { PS_PER_NS } from '../instants.ts';
import { assignLanes, type Lane } from '../lanes.ts';
import { busySms } from '../statistics/busy-sms.ts';
import type { Timeline } from '../timeline.ts';
import { flowsOf } from './flows.ts';
import { callName, details, deviceTitle, sliceName, waitingUntil } from './names.ts';

type TraceEvent = Readonly<Record<string, unknown>>;
type Emit = (event: TraceEvent) => void;

/**
 * A timeline in Chrome's trace event format (JSON), for chrome://tracing and ui.perfetto.dev. One process per device
 * and one for the host's threads; one thread per lane, so that kernels of a stream that overlap stay visible; causes as
 * flow events; busy SMs as a counter. Times in us, rounded to whole ns; the arguments keep the exact picoseconds.
 * Format: "Trace Event Format", Google, 2016.
 */
export function writeChromeTrace(timeline: Timeline): string {
  const lanes = assignLanes(timeline);
  const head = { displayTimeUnit: 'ns', otherData: { program: timeline.program, machine: timeline.machine } };
  const lines: string[] = [];
  // Text at once: keeping all events as objects costs the garbage collector more than writing them.
  const emit = (event: TraceEvent) => {
    lines.push(JSON.stringify(event));
  };
  emitMetadata(timeline, lanes, emit);
  lanes.forEach((lane, tid) => {
    emitLane(timeline, lane, tid, emit);
  });
  emitFlows(timeline, lanes, emit);
  timeline.devices.forEach((_, device) => {
    emitCounter(timeline, device, emit);
  });
  return `${JSON.stringify(head).slice(0, -1)},"traceEvents":[\n${lines.join(',\n')}\n]}\n`;
}

/** The host is process 1, as 0 and -1 are special in some viewers. */
const processId = (device: number) => device + 2;

function emitMetadata(timeline: Timeline, lanes: readonly Lane[], emit: Emit): void {
  const meta = (name: string, pid: number, args: object, tid?: number) =>
    emit({ ph: 'M', name, pid, ...(tid === undefined ? {} : { tid }), args });
  const seen = new Set<number>();
  lanes.forEach((lane, tid) => {
    const pid = processId(lane.device);
    if (!seen.has(pid)) {
      seen.add(pid);
      meta('process_name', pid, { name: deviceTitle(timeline, lane.device) });
      meta('process_sort_index', pid, { sort_index: pid });
    }
    meta('thread_name', pid, { name: lane.name }, tid);
    meta('thread_sort_index', pid, { sort_index: tid }, tid);
  });
}

function emitLane(timeline: Timeline, lane: Lane, tid: number, emit: Emit): void {
  const pid = processId(lane.device);
  for (const slice of lane.slices) {
    const operation = timeline.operations[slice.operation];
    if (operation === undefined) continue;
    const isHost = lane.device < 0;
    emit({
      ph: 'X',
      name: isHost ? callName(operation) : sliceName(operation),
      cat: isHost ? 'host' : operation.kind,
      pid,
      tid,
      ...interval(slice.start, slice.end),
      args: isHost && operation.device >= 0 ? { id: operation.id } : details(timeline, operation),
    });
    if (isHost) continue;
    const until = waitingUntil(operation);
    if (until !== undefined) {
      const waiting = interval(slice.start, Math.min(until, slice.end));
      emit({ ph: 'X', name: 'before wait returned', cat: 'wait', pid, tid, ...waiting });
    }
    if (!Number.isNaN(operation.lastTrigger)) {
      emit({ ph: 'i', s: 't', name: 'trigger', cat: 'trigger', pid, tid, ts: us(operation.lastTrigger) });
    }
  }
}

function emitFlows(timeline: Timeline, lanes: readonly Lane[], emit: Emit): void {
  flowsOf(timeline, lanes).forEach(({ kind, from, fromTime, to, toTime }, id) => {
    // A flow binds to the slice that is open at its time, and at the very end of a slice none is.
    const inside = Math.max(us(from.slice.start), Math.min(us(fromTime), (ns(from.slice.end) - 1) / 1e3));
    const end = (lane: number) => ({
      name: kind,
      cat: 'cause',
      id,
      pid: processId(lanes[lane]?.device ?? 0),
      tid: lane,
    });
    emit({ ph: 's', ...end(from.lane), ts: inside });
    emit({ ph: 'f', bp: 'e', ...end(to.lane), ts: us(toTime) });
  });
}

function emitCounter(timeline: Timeline, device: number, emit: Emit): void {
  const { time, busy } = busySms(timeline, device);
  const pid = processId(device);
  time.forEach((at, i) => {
    emit({ ph: 'C', name: 'busy SMs', pid, ts: us(at), args: { SMs: busy[i] } });
  });
}

/** Start and end are rounded, not the duration: so that slices which only touch never overlap. */
function interval(start: number, end: number): { ts: number; dur: number } {
  return { ts: us(start), dur: (ns(end) - ns(start)) / 1e3 };
}

function ns(picoseconds: number): number {
  return Math.round(picoseconds / PS_PER_NS);
}

function us(picoseconds: number): number {
  return ns(picoseconds) / 1e3;
}
