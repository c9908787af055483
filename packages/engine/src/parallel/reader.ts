import type { ActorId, Message, Time } from '../actor.ts';
import type { Inbox } from './inbox.ts';
import { type MessageCodec, PACKED, PART } from './message-codec.ts';
import { kindAt, lengthAt, RECORD_HEADER, sourceAt, targetAt, type Words, wordsOf } from './record.ts';

/** Takes a message out of an inbox. */
export type Receive = (target: ActorId, at: Time, source: ActorId, sequence: number, message: Message) => void;

/** Reads the records of an inbox and puts messages that came in parts together. */
export class Reader {
  private readonly inbox: Inbox;
  private readonly codec: MessageCodec;
  private readonly words: Words;
  /** By source. Parts of one message follow one another among the records of their source. */
  private readonly parts = new Map<ActorId, Uint8Array[]>();

  constructor(inbox: Inbox, codec: MessageCodec) {
    this.inbox = inbox;
    this.codec = codec;
    this.words = wordsOf(new Float64Array(inbox.capacity));
  }

  /** Takes all that is there; returns the number of messages. */
  drain(receive: Receive): number {
    const { words, codec } = this;
    const { doubles } = words;
    const count = this.inbox.read(doubles);
    let messages = 0;
    for (let at = 0; at < count; at += lengthAt(words, at)) {
      const kind = kindAt(words, at);
      const source = sourceAt(words, at);
      const payload = at + RECORD_HEADER;
      if (kind === PART) {
        this.keep(source, payload);
        continue;
      }
      const message = kind === PACKED ? this.unpack(source, payload) : codec.read(kind, doubles, payload);
      receive(targetAt(words, at), doubles[at] as number, source, doubles[at + 1] as number, message);
      messages++;
    }
    return messages;
  }

  private keep(source: ActorId, payload: number): void {
    const parts = this.parts.get(source) ?? [];
    this.parts.set(source, parts);
    parts.push(this.bytesAt(payload).slice());
  }

  private unpack(source: ActorId, payload: number): Message {
    const last = this.bytesAt(payload);
    const parts = this.parts.get(source);
    if (parts === undefined) return this.codec.unpack(last);
    this.parts.delete(source);
    return this.codec.unpack(Buffer.concat([...parts, last]));
  }

  private bytesAt(payload: number): Uint8Array {
    const from = (payload + 1) * 8;
    return this.words.bytes.subarray(from, from + (this.words.doubles[payload] as number));
  }
}
