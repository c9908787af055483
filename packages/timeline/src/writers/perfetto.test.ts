import protobuf from 'protobufjs';
import { describe, expect, it } from 'vitest';
import { chain } from '../chain.fixture.ts';
import { makeOperation, makeTimeline } from '../make.ts';
import type { Timeline } from '../timeline.ts';
import { busyTimeline } from './busy.fixture.ts';
import { writePerfetto } from './perfetto.ts';

const SCHEMA = `
syntax = "proto2";
message Trace { repeated TracePacket packet = 1; }
message TracePacket {
  optional uint64 timestamp = 8;
  optional uint32 trusted_packet_sequence_id = 10;
  optional TrackEvent track_event = 11;
  optional InternedData interned_data = 12;
  optional uint32 sequence_flags = 13;
  optional TrackDescriptor track_descriptor = 60;
}
message InternedData { repeated Name event_names = 2; repeated Name debug_annotation_names = 3; }
message Name { optional uint64 iid = 1; optional string name = 2; }
message TrackDescriptor {
  optional uint64 uuid = 1;
  optional string name = 2;
  optional uint64 parent_uuid = 5;
  optional CounterDescriptor counter = 8;
  optional int32 child_ordering = 11;
  optional int32 sibling_order_rank = 12;
}
message CounterDescriptor { optional int32 unit = 3; }
message TrackEvent {
  enum Type { UNSPECIFIED = 0; SLICE_BEGIN = 1; SLICE_END = 2; INSTANT = 3; COUNTER = 4; }
  repeated DebugAnnotation debug_annotations = 4;
  optional Type type = 9;
  optional uint64 name_iid = 10;
  optional uint64 track_uuid = 11;
  optional int64 counter_value = 30;
  repeated fixed64 flow_ids = 47;
  repeated fixed64 terminating_flow_ids = 48;
}
message DebugAnnotation {
  optional uint64 name_iid = 1;
  optional int64 int_value = 4;
  optional double double_value = 5;
  optional string string_value = 6;
}`;

interface Packet {
  timestamp?: number;
  trackEvent?: {
    type: string;
    nameIid?: number;
    trackUuid: number;
    counterValue?: number;
    flowIds?: number[];
    terminatingFlowIds?: number[];
    debugAnnotations?: { nameIid: number; stringValue?: string; doubleValue?: number }[];
  };
  trackDescriptor?: { uuid: number; name: string; parentUuid?: number; counter?: object };
  internedData?: {
    eventNames?: { iid: number; name: string }[];
    debugAnnotationNames?: { iid: number; name: string }[];
  };
  sequenceFlags?: number;
}

function decode(timeline: Timeline) {
  const type = protobuf.parse(SCHEMA).root.lookupType('Trace');
  const message = type.decode(writePerfetto(timeline));
  const { packet } = type.toObject(message, { longs: Number, enums: String }) as { packet: Packet[] };
  const names = new Map<number, string>();
  const annotations = new Map<number, string>();
  const events = [];
  for (const { timestamp, trackEvent, internedData } of packet) {
    for (const { iid, name } of internedData?.eventNames ?? []) names.set(iid, name);
    for (const { iid, name } of internedData?.debugAnnotationNames ?? []) annotations.set(iid, name);
    if (trackEvent === undefined || timestamp === undefined) continue;
    const facts = (trackEvent.debugAnnotations ?? []).map((annotation) => [
      annotations.get(annotation.nameIid),
      annotation.stringValue ?? annotation.doubleValue,
    ]);
    events.push({
      ...trackEvent,
      timestamp,
      name: names.get(trackEvent.nameIid ?? 0),
      facts: Object.fromEntries(facts),
    });
  }
  return { packet, events, tracks: packet.flatMap(({ trackDescriptor }) => trackDescriptor ?? []) };
}

describe('writePerfetto', () => {
  it('makes a track per lane below a group per device', () => {
    const { tracks } = decode(chain(3, true));
    const nameOf = (uuid?: number) => tracks.find((track) => track.uuid === uuid)?.name;
    expect(tracks.map((track) => [nameOf(track.parentUuid), track.name])).toEqual([
      [undefined, 'host'],
      ['host', 'main'],
      [undefined, 'GPU 0'],
      ['GPU 0', 'busy SMs'],
      ['GPU 0', 's0'],
      ['GPU 0', 's0 (2)'],
      ['GPU 0', 's0 (3)'],
    ]);
    expect(new Set(tracks.map((track) => track.uuid)).size).toBe(tracks.length);
  });

  it('writes slices in ns, with the part before the wait returned inside, and the trigger', () => {
    const { events, tracks } = decode(chain(2, true));
    const lane = tracks.find((track) => track.name === 's0 (2)')?.uuid;
    const slices = events.filter((event) => event.trackUuid === lane);
    expect(slices.map(({ type, timestamp, name }) => [type, timestamp, name])).toEqual([
      ['SLICE_BEGIN', 7040, 'qkvGemm'],
      ['SLICE_BEGIN', 7040, 'before wait returned'],
      ['INSTANT', 7440, 'trigger'],
      ['SLICE_END', 10380, undefined],
      ['SLICE_END', 14380, undefined],
    ]);
    expect(slices[0]?.facts).toMatchObject({ id: 'qkvGemm#1', 'start (us)': 7.04, cause: 'trigger of rmsNorm#0' });
  });

  it('nests the slices of every track and pairs begins with ends', () => {
    const { events } = decode(busyTimeline());
    const open = new Map<number, number>();
    const last = new Map<number, number>();
    for (const { type, trackUuid, timestamp } of events) {
      if (type === 'COUNTER') continue;
      expect(timestamp).toBeGreaterThanOrEqual(last.get(trackUuid) ?? 0);
      last.set(trackUuid, timestamp);
      const change = type === 'SLICE_BEGIN' ? 1 : type === 'SLICE_END' ? -1 : 0;
      open.set(trackUuid, (open.get(trackUuid) ?? 0) + change);
      expect(open.get(trackUuid)).toBeGreaterThanOrEqual(0);
    }
    expect([...open.values()].every((depth) => depth === 0)).toBe(true);
  });

  it('connects causes and effects by flows', () => {
    const { events } = decode(chain(3, true));
    const from = new Map(events.flatMap((event) => (event.flowIds ?? []).map((id) => [id, event.name] as const)));
    const pairs = events.flatMap((event) => (event.terminatingFlowIds ?? []).map((id) => [from.get(id), event.name]));
    expect(pairs).toEqual([
      ['launch rmsNorm', 'rmsNorm'],
      ['rmsNorm', 'qkvGemm'],
      ['qkvGemm', 'attention'],
    ]);
  });

  it('counts busy SMs, and starts with a cleared state', () => {
    const { events, packet } = decode(chain(2, false));
    const counters = events.filter((event) => event.type === 'COUNTER');
    expect(counters.map(({ timestamp, counterValue }) => [timestamp, counterValue])).toEqual([
      [6000, 132],
      [10000, 0],
      [10900, 132],
      [14900, 0],
    ]);
    expect(packet[0]?.sequenceFlags).toBe(1);
  });

  it('moves negative times to zero, as timestamps are unsigned', () => {
    const { events } = decode(makeTimeline([makeOperation({ id: 'a', start: -2000, end: 1000 })]));
    expect(events.filter((event) => event.type !== 'COUNTER').map((event) => event.timestamp)).toEqual([0, 3]);
  });
});
