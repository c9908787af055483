import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../actor.ts';
import { Inbox, inboxMemory } from './inbox.ts';
import { MessageCodec, type RecordShape } from './message-codec.ts';
import { Outbox } from './outbox.ts';
import { Reader } from './reader.ts';
import { kindAt, lengthAt, RECORD_HEADER, sourceAt, targetAt, wordsOf, writeHeader } from './record.ts';

const SHAPES: readonly RecordShape[] = [
  { type: 'job', numbers: [] },
  { type: 'progress', numbers: ['stream', 'op'] },
];

interface Received {
  readonly target: number;
  readonly at: number;
  readonly source: number;
  readonly sequence: number;
  readonly message: Message;
}

function pair(words: number) {
  const memory = inboxMemory(words);
  const codec = new MessageCodec(SHAPES);
  const outbox = new Outbox(new Inbox(memory), codec);
  const reader = new Reader(new Inbox(memory), new MessageCodec(SHAPES));
  const received: Received[] = [];
  const drain = () =>
    reader.drain((target, at, source, sequence, message) => received.push({ target, at, source, sequence, message }));
  return { outbox, drain, received };
}

const message = fc.oneof(
  fc.constant({ type: 'job' }),
  fc.record({ type: fc.constant('progress'), stream: fc.nat(), op: fc.double() }),
  fc.record({
    type: fc.constant('command'),
    text: fc.string({ maxLength: 40 }),
    nested: fc.array(fc.nat(), { maxLength: 5 }),
  }),
  fc
    .record({ type: fc.constant('long'), bytes: fc.nat(30_000) })
    .map(({ type, bytes }) => ({ type, text: 'y'.repeat(bytes) })),
);
const outgoing = fc.record({
  target: fc.nat(16_383),
  at: fc.maxSafeNat(),
  source: fc.nat(16_383),
  sequence: fc.nat(2 ** 35 - 1),
  message,
});

describe('messages through a ring', () => {
  it('arrive whole and in order, whatever the ring has room for and however they are read', () => {
    fc.assert(
      fc.property(fc.array(outgoing, { maxLength: 60 }), fc.array(fc.nat(3)), (sent, rhythm) => {
        const { outbox, drain, received } = pair(1024);
        for (const [i, each] of sent.entries()) {
          outbox.add(each.target, each.at, each.source, each.sequence, each.message);
          if (rhythm[i] === 0) outbox.flush();
          if (rhythm[i] === 1) drain();
        }
        const earliest = Math.min(
          Number.POSITIVE_INFINITY,
          ...sent.slice(sent.length - outbox.waiting).map((s) => s.at),
        );
        expect(outbox.earliest()).toBeLessThanOrEqual(earliest);
        for (let turn = 0; outbox.waiting > 0 || turn < 2; turn++) {
          outbox.flush();
          drain();
          expect(turn).toBeLessThan(10_000);
        }
        expect(outbox.earliest()).toBe(Number.POSITIVE_INFINITY);
        expect(received).toEqual(sent);
      }),
      { numRuns: 200 },
    );
  });

  it('stay with the sender while the ring is full, and are counted', () => {
    const { outbox, drain, received } = pair(64);
    for (let i = 0; i < 100; i++) outbox.add(1, i, 0, i, { type: 'job' });
    expect(outbox.flush()).toBe(21);
    expect(outbox.flush()).toBe(0);
    expect(outbox.waiting).toBe(79);
    expect(outbox.earliest()).toBe(21);
    expect(drain()).toBe(21);
    expect(outbox.flush()).toBe(21);
    drain();
    expect(received).toHaveLength(42);
  });

  it('have headers that keep every number', () => {
    const header = [fc.nat(16_383), fc.nat(16_383), fc.nat(201), fc.nat(2 ** 17 - 1)] as const;
    const words = wordsOf(new Float64Array(8));
    fc.assert(
      fc.property(...header, (source, target, kind, payload) => {
        writeHeader(words, 4, source, target, kind, payload);
        const read = [sourceAt(words, 4), targetAt(words, 4), kindAt(words, 4), lengthAt(words, 4) - RECORD_HEADER];
        expect(read).toEqual([source, target, kind, payload]);
      }),
    );
  });

  it('of a shape need numbers in every field', () => {
    const { outbox } = pair(64);
    const bad = { type: 'progress', stream: 1, op: 'two' } as Message;
    expect(() => outbox.add(1, 0, 0, 0, bad)).toThrow('"op" is no number');
  });
});
