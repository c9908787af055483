import type { ActorId, Message, Time } from '../actor.ts';
import type { Inbox } from './inbox.ts';
import { type MessageCodec, PACKED, PART } from './message-codec.ts';
import { kindAt, lengthAt, MOST_WORDS, RECORD_HEADER, type Words, wordsOf, writeHeader } from './record.ts';

/**
 * Messages to one other shard, as records, until the shard's inbox takes them. It grows as need be: nothing is dropped,
 * and what stays holds back the promise of its sender.
 */
export class Outbox {
  private readonly inbox: Inbox;
  private readonly codec: MessageCodec;
  /** The most payload words of one record: a part of the ring, so that a record always fits in the end. */
  private readonly longest: number;
  private words: Words = wordsOf(new Float64Array(64));
  private first = 0;
  private end = 0;
  /** Messages sent and not yet taken by the inbox. */
  waiting = 0;

  constructor(inbox: Inbox, codec: MessageCodec) {
    this.inbox = inbox;
    this.codec = codec;
    this.longest = Math.min(MOST_WORDS, inbox.capacity / 4 - RECORD_HEADER);
  }

  /** Adds a message with the key of its event. */
  add(target: ActorId, time: Time, source: ActorId, sequence: number, message: Message): void {
    const kind = this.codec.kindOf(message);
    if (kind === PACKED) this.addPacked(target, time, source, sequence, message);
    else {
      const at = this.record(target, time, source, sequence, kind, this.codec.fields(kind));
      this.codec.write(kind, message, this.words.doubles, at);
    }
    this.waiting++;
  }

  /** Hands over what the inbox has room for; returns the number of messages that went. */
  flush(): number {
    const { first, end } = this;
    if (first === end) return 0;
    const before = this.waiting;
    const taken = this.inbox.write(this.words.doubles, first, end - first, (room) => this.wholeRecords(room));
    this.first = first + taken;
    if (this.first === end) {
      this.first = 0;
      this.end = 0;
      this.waiting = 0;
    }
    return before - this.waiting;
  }

  /** The earliest time of what waits, or Infinity. */
  earliest(): Time {
    let earliest = Number.POSITIVE_INFINITY;
    for (let at = this.first; at < this.end; at += lengthAt(this.words, at)) {
      earliest = Math.min(earliest, this.words.doubles[at] as number);
    }
    return earliest;
  }

  /** Words of the records that fit into a room; counts their messages as gone. */
  private wholeRecords(room: number): number {
    let at = this.first;
    for (;;) {
      const next = at + lengthAt(this.words, at);
      if (next - this.first > room) return at - this.first;
      if (kindAt(this.words, at) !== PART) this.waiting--;
      at = next;
    }
  }

  private addPacked(target: ActorId, time: Time, source: ActorId, sequence: number, message: Message): void {
    const packed = this.codec.pack(message);
    const most = (this.longest - 1) * 8;
    let from = 0;
    for (; packed.length - from > most; from += most) {
      this.bytes(packed.subarray(from, from + most), target, time, source, sequence, PART);
    }
    this.bytes(packed.subarray(from), target, time, source, sequence, PACKED);
  }

  /** A record of bytes: their number, then they themselves. */
  private bytes(bytes: Uint8Array, target: ActorId, time: Time, source: ActorId, sequence: number, kind: number): void {
    const at = this.record(target, time, source, sequence, kind, 1 + Math.ceil(bytes.length / 8));
    this.words.doubles[at] = bytes.length;
    this.words.bytes.set(bytes, (at + 1) * 8);
  }

  /** Begins a record, and returns where its payload goes. */
  private record(target: ActorId, time: Time, source: ActorId, sequence: number, kind: number, words: number): number {
    const at = this.end;
    this.end = at + RECORD_HEADER + words;
    if (this.end > this.words.doubles.length) this.grow(at);
    this.words.doubles[at] = time;
    this.words.doubles[at + 1] = sequence;
    writeHeader(this.words, at, source, target, kind, words);
    return at + RECORD_HEADER;
  }

  private grow(used: number): void {
    let { length } = this.words.doubles;
    while (length < this.end) length *= 2;
    const grown = new Float64Array(length);
    grown.set(this.words.doubles.subarray(0, used));
    this.words = wordsOf(grown);
  }
}
