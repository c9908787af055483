import { PbfWriter } from 'pbf';
import { PS_PER_NS } from '../instants.ts';
import { assignLanes, type Lane } from '../lanes.ts';
import { busySms } from '../statistics/busy-sms.ts';
import type { Timeline } from '../timeline.ts';
import { type Flow, flowsOf } from './flows.ts';
import { callName, details, deviceTitle, sliceName, waitingUntil } from './names.ts';
import {
  COUNTER,
  INSTANT,
  type InternedName,
  PACKET,
  SLICE_BEGIN,
  SLICE_END,
  type Track,
  type TrackEvent,
  writeEventPacket,
  writeNamePacket,
  writeStartPacket,
  writeTrackPacket,
} from './perfetto-messages.ts';

/**
 * A timeline as a Perfetto trace (protobuf), for ui.perfetto.dev and trace_processor. One group of
 * tracks per device and one for the host's threads, one track per lane, causes as flows, busy SMs as a counter.
 * Timestamps are ns from the earliest instant if that is negative, else from the start of the simulation; annotations
 * keep the exact times.
 */
export function writePerfetto(timeline: Timeline): Uint8Array {
  const lanes = assignLanes(timeline);
  const tracks = describeTracks(timeline, lanes);
  const trace = new TraceWriter();
  for (const track of tracks.all) trace.track(track);
  const toNs = clock(lanes);
  writeSlices(timeline, lanes, tracks, toNs, trace);
  writeCounters(timeline, tracks, toNs, trace);
  return trace.finish();
}

/** Writes packets as they come; a name goes ahead of its first use. */
class TraceWriter {
  readonly #pbf = new PbfWriter();
  readonly #ids = { event: new Map<string, number>(), annotation: new Map<string, number>() };

  constructor() {
    this.#pbf.writeMessage(PACKET, writeStartPacket, undefined);
  }

  track(track: Track): void {
    this.#pbf.writeMessage(PACKET, writeTrackPacket, track);
  }

  event(event: TrackEvent): void {
    this.#pbf.writeMessage(PACKET, writeEventPacket, event);
  }

  name(kind: InternedName['kind'], name: string): number {
    const ids = this.#ids[kind];
    let id = ids.get(name);
    if (id === undefined) {
      id = ids.size + 1;
      ids.set(name, id);
      this.#pbf.writeMessage(PACKET, writeNamePacket, { kind, id, name });
    }
    return id;
  }

  finish(): Uint8Array {
    return this.#pbf.finish();
  }
}

interface Tracks {
  readonly all: readonly Track[];
  /** Identifiers by lane, and of the busy-SM counters by device. */
  readonly ofLane: readonly number[];
  readonly ofCounter: ReadonlyMap<number, number>;
}

/** Groups are plain tracks: below the track of a process, viewers ignore the order given. */
function describeTracks(timeline: Timeline, lanes: readonly Lane[]): Tracks {
  const all: Track[] = [];
  const ofLane: number[] = [];
  const groups = new Map<number, number>();
  const ofCounter = new Map<number, number>();
  const add = (track: Omit<Track, 'uuid' | 'rank'>): number => {
    const uuid = all.length + 1;
    all.push({ uuid, rank: uuid, ...track });
    return uuid;
  };
  for (const { device, name } of lanes) {
    let parent = groups.get(device);
    if (parent === undefined) {
      parent = add({ name: deviceTitle(timeline, device) });
      groups.set(device, parent);
      if (device >= 0) ofCounter.set(device, add({ name: 'busy SMs', parent, isCounter: true }));
    }
    ofLane.push(add({ name, parent }));
  }
  return { all, ofLane, ofCounter };
}

function writeSlices(
  timeline: Timeline,
  lanes: readonly Lane[],
  tracks: Tracks,
  toNs: Clock,
  trace: TraceWriter,
): void {
  const flows = flowsByPlace(flowsOf(timeline, lanes), lanes.length);
  lanes.forEach((lane, laneIndex) => {
    const track = tracks.ofLane[laneIndex] ?? 0;
    const put = (type: number, time: number, name?: string, more: Partial<TrackEvent> = {}) =>
      trace.event({
        timestamp: toNs(time),
        type,
        track,
        ...(name === undefined ? {} : { name: trace.name('event', name) }),
        ...more,
      });
    for (const { operation: index, start, end } of lane.slices) {
      const operation = timeline.operations[index];
      if (operation === undefined) continue;
      const isHost = lane.device < 0;
      const isCallOnly = isHost && operation.device >= 0;
      const known = isCallOnly ? { id: operation.id } : details(timeline, operation);
      const annotations = Object.entries(known).map(([key, value]) => [trace.name('annotation', key), value] as const);
      put(SLICE_BEGIN, start, isHost ? callName(operation) : sliceName(operation), {
        annotations,
        ...flows[laneIndex]?.get(index),
      });
      if (!isHost) {
        const until = waitingUntil(operation);
        const inner: [number, () => void][] = [];
        if (until !== undefined) {
          put(SLICE_BEGIN, start, 'before wait returned');
          inner.push([Math.min(until, end), () => put(SLICE_END, Math.min(until, end))]);
        }
        const { lastTrigger } = operation;
        if (lastTrigger <= end) inner.push([lastTrigger, () => put(INSTANT, lastTrigger, 'trigger')]);
        for (const [, emit] of inner.sort((a, b) => a[0] - b[0])) emit();
      }
      put(SLICE_END, end);
    }
  });
}

function writeCounters(timeline: Timeline, tracks: Tracks, toNs: Clock, trace: TraceWriter): void {
  for (const [device, track] of tracks.ofCounter) {
    const { time, busy } = busySms(timeline, device);
    time.forEach((at, i) => {
      trace.event({ timestamp: toNs(at), type: COUNTER, track, counter: busy[i] ?? 0 });
    });
  }
}

type Clock = (picoseconds: number) => number;

type FlowEnds = Map<number, { flows: number[]; endingFlows: number[] }>;

function flowsByPlace(flows: readonly Flow[], lanes: number): FlowEnds[] {
  const byLane: FlowEnds[] = Array.from({ length: lanes }, () => new Map());
  const at = (lane: number, operation: number) => {
    let ends = byLane[lane]?.get(operation);
    if (ends === undefined) {
      ends = { flows: [], endingFlows: [] };
      byLane[lane]?.set(operation, ends);
    }
    return ends;
  };
  flows.forEach(({ from, to }, index) => {
    at(from.lane, from.slice.operation).flows.push(index + 1);
    at(to.lane, to.slice.operation).endingFlows.push(index + 1);
  });
  return byLane;
}

/** Timestamps are unsigned. Rounding each instant by itself keeps slices that only touch apart. */
function clock(lanes: readonly Lane[]): Clock {
  const first = lanes.reduce((least, lane) => Math.min(least, lane.slices[0]?.start ?? 0), 0);
  return (picoseconds) => Math.round((picoseconds - first) / PS_PER_NS);
}
