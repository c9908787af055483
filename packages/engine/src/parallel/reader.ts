import type { ActorId, Message, Time } from '../actor.ts';
import type { Inbox } from './inbox.ts';
import { type MessageCodec, PACKED, PART } from './message-codec.ts';
import { RECORD_HEADER, unpackHeader } from './outbox.ts';

/** Takes a message out of an inbox. */
export type Receive = (target: ActorId, at: Time, source: ActorId, sequence: number, message: Message) => void;

/** Reads the records of an inbox and puts messages that came in parts together. */
export class Reader {
  private readonly inbox: Inbox;
  private readonly codec: MessageCodec;
  private readonly words: Float64Array;
  private readonly bytes: Uint8Array;
  /** By source. Parts of one message follow one another among the records of their source. */
  private readonly parts = new Map<ActorId, Uint8Array[]>();

  constructor(inbox: Inbox, codec: MessageCodec) {
    this.inbox = inbox;
    this.codec = codec;
    this.words = new Float64Array(inbox.capacity);
    this.bytes = new Uint8Array(this.words.buffer);
  }

  /** Takes all that is there; returns the number of messages. */
  drain(receive: Receive): number {
    const count = this.inbox.read(this.words);
    let messages = 0;
    for (let at = 0; at < count; ) {
      const { source, target, kind, words } = unpackHeader(this.words[at + 2] as number);
      const payload = at + RECORD_HEADER;
      if (kind === PART) this.keep(source, payload);
      else {
        const message = kind === PACKED ? this.unpack(source, payload) : this.codec.read(kind, this.words, payload);
        receive(target, this.words[at] as number, source, this.words[at + 1] as number, message);
        messages++;
      }
      at = payload + words;
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
    return this.bytes.subarray(from, from + (this.words[payload] as number));
  }
}
