import type { ActorId, Message, Time } from '../actor.ts';
import type { Inbox } from './inbox.ts';
import { type MessageCodec, PACKED, PART } from './message-codec.ts';

/** Words before a record's payload: time, sequence, and where, what and how long. */
export const RECORD_HEADER = 3;
const LENGTHS = 2 ** 17;
const ACTORS = 2 ** 14;

/** Source, target, kind and payload words of a record in one number. */
export function packHeader(source: ActorId, target: ActorId, kind: number, words: number): number {
  return ((kind * LENGTHS + words) * ACTORS + source) * ACTORS + target;
}

/** What `packHeader` packed. */
export function unpackHeader(packed: number): { source: ActorId; target: ActorId; kind: number; words: number } {
  const target = packed % ACTORS;
  const rest = Math.floor(packed / ACTORS);
  const source = rest % ACTORS;
  const upper = Math.floor(rest / ACTORS);
  return { source, target, kind: Math.floor(upper / LENGTHS), words: upper % LENGTHS };
}

/** A message for an actor of another shard, with the key of its event. */
export interface Outgoing {
  readonly target: ActorId;
  readonly at: Time;
  readonly source: ActorId;
  readonly sequence: number;
  readonly message: Message;
}

/**
 * Messages to one other shard, as records, until the shard's inbox takes them. It grows as need be: nothing is dropped,
 * and what stays holds back the promise of its sender.
 */
export class Outbox {
  private readonly inbox: Inbox;
  private readonly codec: MessageCodec;
  /** The most payload words of one record: a part of the ring, so that a record always fits in the end. */
  private readonly longest: number;
  private words = new Float64Array(1024);
  private bytes = new Uint8Array(this.words.buffer);
  private first = 0;
  private end = 0;
  /** Messages sent and not yet taken by the inbox. */
  waiting = 0;

  constructor(inbox: Inbox, codec: MessageCodec) {
    this.inbox = inbox;
    this.codec = codec;
    this.longest = Math.min(LENGTHS, inbox.capacity / 4) - RECORD_HEADER;
  }

  /** Adds a message. */
  add(outgoing: Outgoing): void {
    const kind = this.codec.kindOf(outgoing.message);
    if (kind === PACKED) this.addPacked(outgoing);
    else {
      const words = this.codec.fields(kind);
      const at = this.header(outgoing, kind, words);
      this.codec.write(kind, outgoing.message, this.words, at);
    }
    this.waiting++;
  }

  /** Hands over what the inbox has room for; returns the number of messages that went. */
  flush(): number {
    if (this.first === this.end) return 0;
    let messages = 0;
    const taken = this.inbox.write(this.words, this.first, (room) => {
      let at = this.first;
      while (at < this.end) {
        const { kind, words } = unpackHeader(this.words[at + 2] as number);
        if (at + RECORD_HEADER + words - this.first > room) break;
        at += RECORD_HEADER + words;
        if (kind !== PART) messages++;
      }
      return at - this.first;
    });
    this.first += taken;
    this.waiting -= messages;
    if (this.first === this.end) {
      this.first = 0;
      this.end = 0;
    }
    return messages;
  }

  /** The earliest time of what waits, or Infinity. */
  earliest(): Time {
    let earliest = Number.POSITIVE_INFINITY;
    for (let at = this.first; at < this.end; ) {
      earliest = Math.min(earliest, this.words[at] as number);
      at += RECORD_HEADER + unpackHeader(this.words[at + 2] as number).words;
    }
    return earliest;
  }

  private addPacked(outgoing: Outgoing): void {
    const packed = this.codec.pack(outgoing.message);
    const most = (this.longest - 1) * 8;
    let from = 0;
    for (; packed.length - from > most; from += most) this.part(outgoing, PART, packed.subarray(from, from + most));
    this.part(outgoing, PACKED, packed.subarray(from));
  }

  /** A record of bytes: their number, then they themselves. */
  private part(outgoing: Outgoing, kind: number, bytes: Uint8Array): void {
    const at = this.header(outgoing, kind, 1 + Math.ceil(bytes.length / 8));
    this.words[at] = bytes.length;
    this.bytes.set(bytes, (at + 1) * 8);
  }

  /** Writes a record's header, and returns where its payload goes. */
  private header({ target, at: time, source, sequence }: Outgoing, kind: number, words: number): number {
    const at = this.end;
    this.end += RECORD_HEADER + words;
    if (this.end > this.words.length) this.grow(at);
    this.words[at] = time;
    this.words[at + 1] = sequence;
    this.words[at + 2] = packHeader(source, target, kind, words);
    return at + RECORD_HEADER;
  }

  private grow(used: number): void {
    let length = this.words.length * 2;
    while (length < this.end) length *= 2;
    const words = new Float64Array(length);
    words.set(this.words.subarray(0, used));
    this.words = words;
    this.bytes = new Uint8Array(words.buffer);
  }
}
