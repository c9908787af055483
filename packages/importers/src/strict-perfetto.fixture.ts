import protobuf from 'protobufjs';

const SCHEMA = `
syntax = "proto2";
message Trace { repeated TracePacket packet = 1; }
message TracePacket {
  optional uint64 timestamp = 8;
  optional TrackEvent track_event = 11;
  optional InternedData interned_data = 12;
  optional TrackDescriptor track_descriptor = 60;
}
message InternedData { repeated Name event_names = 2; }
message Name { optional uint64 iid = 1; optional string name = 2; }
message TrackDescriptor { optional uint64 uuid = 1; optional string name = 2; optional uint64 parent_uuid = 5; }
message TrackEvent {
  enum Type { UNSPECIFIED = 0; SLICE_BEGIN = 1; SLICE_END = 2; INSTANT = 3; COUNTER = 4; }
  optional Type type = 9;
  optional uint64 name_iid = 10;
  optional uint64 track_uuid = 11;
}`;

interface Packet {
  readonly timestamp?: number;
  readonly trackEvent?: { readonly type: string; readonly nameIid?: number; readonly trackUuid: number };
  readonly trackDescriptor?: { readonly uuid: number; readonly name: string; readonly parentUuid?: number };
  readonly internedData?: { readonly eventNames?: readonly { readonly iid: number; readonly name: string }[] };
}

export interface PerfettoSlice {
  readonly group: string;
  readonly track: string;
  readonly name: string;
  /** ns */
  readonly start: number;
  readonly end: number;
}

/** Reads the slices of a Perfetto trace. Throws Error where one has no track or name, or begins and ends do not pair. */
export function readPerfettoStrictly(bytes: Uint8Array): PerfettoSlice[] {
  const type = protobuf.parse(SCHEMA).root.lookupType('Trace');
  const { packet } = type.toObject(type.decode(bytes), { longs: Number, enums: String }) as { packet: Packet[] };
  const tracks = new Map<number, { name: string; parent: number | undefined }>();
  const names = new Map<number, string>();
  const open = new Map<number, { name: string; start: number }[]>();
  const slices: PerfettoSlice[] = [];
  for (const { timestamp = 0, trackEvent, trackDescriptor, internedData } of packet) {
    if (trackDescriptor !== undefined) {
      tracks.set(trackDescriptor.uuid, { name: trackDescriptor.name, parent: trackDescriptor.parentUuid });
    }
    for (const { iid, name } of internedData?.eventNames ?? []) names.set(iid, name);
    if (trackEvent === undefined) continue;
    const track = tracks.get(trackEvent.trackUuid);
    if (track === undefined) throw new Error(`an event at ${timestamp} has no track`);
    const stack = open.get(trackEvent.trackUuid) ?? [];
    open.set(trackEvent.trackUuid, stack);
    if (trackEvent.type === 'SLICE_BEGIN') {
      const name = names.get(trackEvent.nameIid ?? 0);
      if (name === undefined) throw new Error(`a slice at ${timestamp} has no name`);
      stack.push({ name, start: timestamp });
    } else if (trackEvent.type === 'SLICE_END') {
      const begun = stack.pop();
      if (begun === undefined || begun.start > timestamp) throw new Error(`an end at ${timestamp} without a begin`);
      const group = tracks.get(track.parent ?? -1)?.name ?? '';
      slices.push({ group, track: track.name, name: begun.name, start: begun.start, end: timestamp });
    }
  }
  if ([...open.values()].some((stack) => stack.length > 0)) throw new Error('a slice never ends');
  return slices;
}
