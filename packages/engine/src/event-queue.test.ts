import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message } from './actor.ts';
import { MAX_PRIORITY } from './actor.ts';
import { EventQueue, MAX_ACTORS } from './event-queue.ts';

interface Entry {
  readonly time: number;
  readonly priority: number;
  readonly source: number;
  readonly sequence: number;
}

interface Label extends Message {
  readonly entry: Entry;
}

/** The total order, written plainly. */
function compare(a: Entry, b: Entry): number {
  return a.time - b.time || a.priority - b.priority || a.source - b.source || a.sequence - b.sequence;
}

function push(queue: EventQueue, entry: Entry): void {
  const message: Label = { type: 'label', entry };
  queue.push(entry.time, entry.priority, entry.source, entry.sequence, entry.source % 7, -1, 0, message);
}

function pop(queue: EventQueue): Entry | undefined {
  return queue.pop() ? (queue.message as Label).entry : undefined;
}

function drain(queue: EventQueue): Entry[] {
  const popped: Entry[] = [];
  for (let entry = pop(queue); entry !== undefined; entry = pop(queue)) popped.push(entry);
  return popped;
}

/** Few values for all parts but the sequence: ties everywhere. Sequences of one source are distinct, as an executor makes them. */
const tied: fc.Arbitrary<Entry[]> = fc
  .array(fc.record({ time: fc.nat(4), priority: fc.nat(2), source: fc.nat(3) }), { maxLength: 700 })
  .chain((entries) =>
    fc.shuffledSubarray(
      entries.map((entry, sequence) => ({ ...entry, sequence })),
      { minLength: entries.length },
    ),
  );

const wide: fc.Arbitrary<Entry> = fc.record({
  time: fc.maxSafeNat(),
  priority: fc.nat(MAX_PRIORITY),
  source: fc.nat(MAX_ACTORS - 1),
  sequence: fc.nat(2 ** 31 - 1),
});

describe('the order', () => {
  test('pops in the total order of (time, priority, source, sequence), with many ties', () => {
    fc.assert(
      fc.property(tied, (entries) => {
        const queue = new EventQueue();
        for (const entry of entries) push(queue, entry);
        expect(drain(queue)).toEqual([...entries].sort(compare));
      }),
    );
  });

  test('holds over the whole range of each part', () => {
    fc.assert(
      fc.property(fc.uniqueArray(wide, { selector: (e) => JSON.stringify(e), maxLength: 300 }), (entries) => {
        const queue = new EventQueue();
        for (const entry of entries) push(queue, entry);
        expect(drain(queue)).toEqual([...entries].sort(compare));
      }),
    );
  });

  test('neighbours at the largest key stay apart', () => {
    const last = { time: 1, priority: MAX_PRIORITY, source: MAX_ACTORS - 1, sequence: 2 ** 35 - 1 };
    const entries = [
      last,
      { ...last, sequence: 2 ** 35 - 2 },
      { ...last, source: MAX_ACTORS - 2 },
      { ...last, priority: 0 },
    ];
    const queue = new EventQueue();
    for (const entry of entries) push(queue, entry);
    expect(drain(queue)).toEqual([...entries].sort(compare));
  });

  test('does not depend on the order of insertion', () => {
    const withOtherOrder = tied.chain((a) => fc.tuple(fc.constant(a), fc.shuffledSubarray(a, { minLength: a.length })));
    fc.assert(
      fc.property(withOtherOrder, ([first, second]) => {
        const [a, b] = [new EventQueue(), new EventQueue()];
        for (const entry of first) push(a, entry);
        for (const entry of second) push(b, entry);
        expect(drain(a)).toEqual(drain(b));
      }),
    );
  });
});

describe('pushes between pops', () => {
  /** A model of the queue: an array sorted at each pop. */
  test('agree with a sorted array', () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ time: fc.nat(5), priority: fc.nat(2), source: fc.nat(3) }) },
      { weight: 2, arbitrary: fc.constant('pop' as const) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 1500 }), (steps) => {
        const queue = new EventQueue();
        const model: Entry[] = [];
        steps.forEach((what, sequence) => {
          if (what === 'pop') {
            model.sort(compare);
            expect(pop(queue)).toEqual(model.shift());
          } else {
            const entry = { ...what, sequence };
            push(queue, entry);
            model.push(entry);
          }
          expect(queue.size).toBe(model.length);
          expect(queue.nextTime).toBe(Math.min(Number.POSITIVE_INFINITY, ...model.map((e) => e.time)));
        });
        expect(drain(queue)).toEqual(model.sort(compare));
      }),
      { numRuns: 40 },
    );
  });

  test('each event arrives with its own payload after slots were reused and the arrays have grown', () => {
    const queue = new EventQueue();
    const held = 3000;
    let sequence = 0;
    const add = (time: number) => {
      const code = sequence % 2 === 0 ? -1 : sequence;
      const message: Message | undefined = code < 0 ? { type: `message ${sequence}` } : undefined;
      queue.push(time, sequence % 3, sequence % 11, sequence, sequence % 13, code, sequence * 0.5, message);
      sequence++;
    };
    for (let i = 0; i < held; i++) add((i * 7919) % 1009);
    const seen = new Set<number>();
    for (let i = 0; i < 4 * held; i++) {
      expect(queue.pop()).toBe(true);
      const n = queue.argument * 2;
      expect(seen.has(n)).toBe(false);
      seen.add(n);
      expect([queue.source, queue.target]).toEqual([n % 11, n % 13]);
      expect(queue.code).toBe(n % 2 === 0 ? -1 : n);
      expect(queue.message?.type).toBe(n % 2 === 0 ? `message ${n}` : undefined);
      if (i < 3 * held) add(queue.time + ((i * 31) % 97));
    }
    expect(queue.pop()).toBe(false);
  });
});

describe('an empty queue', () => {
  test('has no next time and pops nothing', () => {
    const queue = new EventQueue();
    expect([queue.size, queue.nextTime, queue.pop()]).toEqual([0, Number.POSITIVE_INFINITY, false]);
  });

  test('grows past its first 256 entries with every priority and keeps nothing when drained', () => {
    for (const n of [255, 256, 257, 1024, 5000]) {
      const queue = new EventQueue();
      for (let i = n; i > 0; i--) push(queue, { time: i, priority: i % 16, source: 0, sequence: i });
      expect(drain(queue).map((e) => e.time)).toEqual(Array.from({ length: n }, (_, i) => i + 1));
      expect(queue.size).toBe(0);
    }
  });
});
