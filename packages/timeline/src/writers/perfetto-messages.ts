import type { PbfWriter } from 'pbf';

/*
 * The parts of Perfetto's trace format that a timeline needs. Field numbers from protos/perfetto/trace in
 * github.com/google/perfetto: trace.proto, trace_packet.proto, track_event/{track_descriptor, track_event,
 * debug_annotation, counter_descriptor}.proto, interned_data/interned_data.proto.
 */

/** TracePacket in Trace. */
export const PACKET = 1;
/** TracePacket.sequence_flags: SEQ_INCREMENTAL_STATE_CLEARED, and SEQ_NEEDS_INCREMENTAL_STATE. */
const STATE_CLEARED = 1;
const NEEDS_STATE = 2;
/** TrackDescriptor.child_ordering: EXPLICIT. */
const EXPLICIT = 3;
/** CounterDescriptor.unit: UNIT_COUNT. */
const UNIT_COUNT = 2;
/** All packets come from one writer. */
const SEQUENCE = 1;

export interface Track {
  readonly uuid: number;
  readonly name: string;
  readonly parent?: number;
  readonly isCounter?: boolean;
  /** Place among its siblings. */
  readonly rank: number;
}

export function writeTrackPacket(track: Track, pbf: PbfWriter): void {
  pbf.writeVarintField(10, SEQUENCE);
  pbf.writeMessage(60, writeTrack, track);
}

function writeTrack(track: Track, pbf: PbfWriter): void {
  pbf.writeVarintField(1, track.uuid);
  pbf.writeStringField(2, track.name);
  if (track.parent !== undefined) pbf.writeVarintField(5, track.parent);
  if (track.isCounter === true) pbf.writeMessage(8, writeCounter, track);
  pbf.writeVarintField(11, EXPLICIT);
  pbf.writeVarintField(12, track.rank);
}

function writeCounter(_track: Track, pbf: PbfWriter): void {
  pbf.writeVarintField(3, UNIT_COUNT);
}

/** First packet of the events: what was interned before, here nothing, no longer holds. */
export function writeStartPacket(_: undefined, pbf: PbfWriter): void {
  pbf.writeVarintField(10, SEQUENCE);
  pbf.writeVarintField(13, STATE_CLEARED);
}

/** A name that later events refer to by its id, which is at least 1. */
export interface InternedName {
  readonly kind: 'event' | 'annotation';
  readonly id: number;
  readonly name: string;
}

export function writeNamePacket(name: InternedName, pbf: PbfWriter): void {
  pbf.writeVarintField(10, SEQUENCE);
  pbf.writeMessage(12, writeInternedData, name);
  pbf.writeVarintField(13, NEEDS_STATE);
}

function writeInternedData(name: InternedName, pbf: PbfWriter): void {
  pbf.writeMessage(name.kind === 'event' ? 2 : 3, writeName, name);
}

function writeName({ id, name }: InternedName, pbf: PbfWriter): void {
  pbf.writeVarintField(1, id);
  pbf.writeStringField(2, name);
}

export const SLICE_BEGIN = 1;
export const SLICE_END = 2;
export const INSTANT = 3;
export const COUNTER = 4;

export interface TrackEvent {
  /** ns */
  readonly timestamp: number;
  readonly type: number;
  readonly track: number;
  /** Id of an interned name. */
  readonly name?: number;
  readonly counter?: number;
  readonly flows?: readonly number[];
  readonly endingFlows?: readonly number[];
  /** Id of the interned name of each, and value. */
  readonly annotations?: readonly (readonly [number, string | number])[];
}

export function writeEventPacket(event: TrackEvent, pbf: PbfWriter): void {
  pbf.writeVarintField(8, event.timestamp);
  pbf.writeVarintField(10, SEQUENCE);
  pbf.writeMessage(11, writeEvent, event);
  pbf.writeVarintField(13, NEEDS_STATE);
}

function writeEvent(event: TrackEvent, pbf: PbfWriter): void {
  for (const annotation of event.annotations ?? []) pbf.writeMessage(4, writeAnnotation, annotation);
  pbf.writeVarintField(9, event.type);
  if (event.name !== undefined) pbf.writeVarintField(10, event.name);
  pbf.writeVarintField(11, event.track);
  if (event.counter !== undefined) pbf.writeVarintField(30, event.counter);
  for (const flow of event.flows ?? []) pbf.writeFixed64Field(47, flow);
  for (const flow of event.endingFlows ?? []) pbf.writeFixed64Field(48, flow);
}

function writeAnnotation([name, value]: readonly [number, string | number], pbf: PbfWriter): void {
  pbf.writeVarintField(1, name);
  if (typeof value === 'string') pbf.writeStringField(6, value);
  else if (Number.isSafeInteger(value)) pbf.writeVarintField(4, value);
  else pbf.writeDoubleField(5, value);
}
