import { EventQueue } from '@griddep/engine';
import FlatQueue from 'flatqueue';
import type { BenchCase, BenchGroup, BenchSuite } from './suite.ts';

const PENDING = [1000, 100_000, 1_000_000] as const;
const HOLDS = 20_000;
/** Largest increment of time: almost no two events tie, or almost all do, as in GPUs, which start blocks together. */
const INCREMENTS = { spread: 2 ** 30, ties: 3 } as const;

/**
 * Hold model (D. W. Jones, 1986): with N events pending, each hold takes the earliest and puts in another, later one.
 * Only @griddep/engine keeps a total order among ties and carries an event; the others bear a time and a number.
 */
export const eventQueueSuite: BenchSuite = {
  name: 'event-queue',
  unit: 'holds/s',
  *groups() {
    for (const [distribution, largest] of Object.entries(INCREMENTS)) {
      const increments = randomIncrements(largest);
      for (const pending of PENDING) yield group(distribution, pending, increments);
    }
  },
};

function group(distribution: string, pending: number, increments: Float64Array): BenchGroup {
  return {
    name: `${distribution} ${pending.toExponential(0)}`,
    cases: [totalOrder(pending, increments), flatQueue(pending, increments), plainHeap(pending, increments)],
  };
}

function totalOrder(pending: number, increments: Float64Array): BenchCase {
  const queue = new EventQueue();
  const next = cursor(increments);
  let sequence = 0;
  const push = (time: number) => {
    queue.push(time, sequence & 3, sequence & 1023, sequence, sequence & 1023, 1, 0, undefined);
    sequence++;
  };
  for (let i = 0; i < pending; i++) push(next());
  return {
    name: 'engine: total order',
    items: HOLDS,
    run() {
      for (let i = 0; i < HOLDS; i++) {
        queue.pop();
        push(queue.time + next());
      }
    },
  };
}

function flatQueue(pending: number, increments: Float64Array): BenchCase {
  const queue = new FlatQueue<number>();
  const next = cursor(increments);
  for (let i = 0; i < pending; i++) queue.push(i, next());
  return {
    name: 'flatqueue: time only',
    items: HOLDS,
    run() {
      for (let i = 0; i < HOLDS; i++) {
        const time = queue.peekValue() as number;
        queue.push(queue.pop() as number, time + next());
      }
    },
  };
}

function plainHeap(pending: number, increments: Float64Array): BenchCase {
  const heap = new PlainHeap(pending);
  const next = cursor(increments);
  for (let i = 0; i < pending; i++) heap.push(next(), i);
  return {
    name: 'plain heap: time only',
    items: HOLDS,
    run() {
      for (let i = 0; i < HOLDS; i++) {
        heap.pop();
        heap.push(heap.time + next(), heap.item);
      }
    },
  };
}

/** The least that a queue can do: a binary heap of fixed capacity over typed arrays, ties in any order. */
class PlainHeap {
  private readonly times: Float64Array;
  private readonly items: Uint32Array;
  private count = 0;
  time = 0;
  item = 0;

  constructor(capacity: number) {
    this.times = new Float64Array(capacity);
    this.items = new Uint32Array(capacity);
  }

  push(time: number, item: number): void {
    const { times, items } = this;
    let i = this.count++;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      const t = times[parent] as number;
      if (t <= time) break;
      times[i] = t;
      items[i] = items[parent] as number;
      i = parent;
    }
    times[i] = time;
    items[i] = item;
  }

  pop(): void {
    const { times, items } = this;
    this.time = times[0] as number;
    this.item = items[0] as number;
    const count = --this.count;
    const time = times[count] as number;
    const item = items[count] as number;
    let i = 0;
    for (let child = 1; child < count; child = 2 * i + 1) {
      if (child + 1 < count && (times[child + 1] as number) < (times[child] as number)) child++;
      if (time <= (times[child] as number)) break;
      times[i] = times[child] as number;
      items[i] = items[child] as number;
      i = child;
    }
    times[i] = time;
    items[i] = item;
  }
}

/** Increments drawn beforehand from a fixed linear congruential sequence, 0 to `largest`. */
function randomIncrements(largest: number): Float64Array {
  let state = 12_345;
  return Float64Array.from({ length: 1 << 16 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * (largest + 1));
  });
}

function cursor(values: Float64Array): () => number {
  let at = 0;
  return () => values[at++ & (values.length - 1)] as number;
}
