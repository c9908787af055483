import type { ActorId, Message, Priority, Time } from './actor.ts';

const SOURCE_BITS = 14;
const SEQUENCE_BITS = 35;
const SEQUENCES = 2 ** SEQUENCE_BITS;
/** Number of actors that the order's key has room for. */
export const MAX_ACTORS = 2 ** SOURCE_BITS;

/**
 * Events in total order of (time, priority, source actor, sequence of that source); nothing else decides, so the order
 * is the same whichever thread inserted first. Priority (4 bits), source (14) and sequence (35) share one double. A
 * 4-ary heap over typed arrays; nothing is allocated per event once the arrays have grown.
 */
export class EventQueue {
  private times = new Float64Array(256);
  private keys = new Float64Array(256);
  private slots = new Uint32Array(256);
  private count = 0;

  private sources = new Uint16Array(256);
  private targets = new Uint16Array(256);
  private codes = new Int32Array(256);
  private args = new Float64Array(256);
  private payloads: (Message | undefined)[] = [];
  private free = new Uint32Array(256);
  private freeCount = 0;
  private used = 0;

  /** Fields of the event that `pop` took last. */
  time: Time = 0;
  source: ActorId = 0;
  target: ActorId = 0;
  /** Timer code, or -1 for a message. */
  code = 0;
  argument = 0;
  message: Message | undefined;

  get size(): number {
    return this.count;
  }

  /** Time of the earliest event, or Infinity. */
  get nextTime(): Time {
    return this.count === 0 ? Number.POSITIVE_INFINITY : (this.times[0] as number);
  }

  push(
    time: Time,
    priority: Priority,
    source: ActorId,
    sequence: number,
    target: ActorId,
    code: number,
    argument: number,
    message: Message | undefined,
  ): void {
    let slot: number;
    if (this.freeCount > 0) slot = this.free[--this.freeCount] as number;
    else {
      slot = this.used++;
      if (slot === this.targets.length) this.growSlots();
    }
    this.sources[slot] = source;
    this.targets[slot] = target;
    this.codes[slot] = code;
    this.args[slot] = argument;
    this.payloads[slot] = message;
    if (this.count === this.times.length) this.growHeap();
    this.siftUp(this.count++, time, (priority * MAX_ACTORS + source) * SEQUENCES + sequence, slot);
  }

  /** Takes the earliest event into the fields of this object; false when empty. */
  pop(): boolean {
    if (this.count === 0) return false;
    const slot = this.slots[0] as number;
    this.time = this.times[0] as number;
    this.source = this.sources[slot] as number;
    this.target = this.targets[slot] as number;
    this.code = this.codes[slot] as number;
    this.argument = this.args[slot] as number;
    this.message = this.payloads[slot];
    this.payloads[slot] = undefined;
    this.free[this.freeCount++] = slot;
    const last = --this.count;
    if (last > 0) this.siftDown(this.times[last] as number, this.keys[last] as number, this.slots[last] as number);
    return true;
  }

  /** Takes the earliest event if it comes before a time. */
  popBefore(time: Time): boolean {
    return this.count > 0 && (this.times[0] as number) < time && this.pop();
  }

  private siftUp(start: number, time: number, key: number, slot: number): void {
    const { times, keys, slots } = this;
    let i = start;
    while (i > 0) {
      const parent = (i - 1) >> 2;
      const t = times[parent] as number;
      if (t < time || (t === time && (keys[parent] as number) < key)) break;
      times[i] = t;
      keys[i] = keys[parent] as number;
      slots[i] = slots[parent] as number;
      i = parent;
    }
    times[i] = time;
    keys[i] = key;
    slots[i] = slot;
  }

  private siftDown(time: number, key: number, slot: number): void {
    const { times, keys, slots, count } = this;
    let i = 0;
    for (;;) {
      const first = 4 * i + 1;
      if (first >= count) break;
      let best = first;
      let bestTime = times[first] as number;
      let bestKey = keys[first] as number;
      const end = Math.min(first + 4, count);
      for (let c = first + 1; c < end; c++) {
        const t = times[c] as number;
        if (t < bestTime || (t === bestTime && (keys[c] as number) < bestKey)) {
          best = c;
          bestTime = t;
          bestKey = keys[c] as number;
        }
      }
      if (time < bestTime || (time === bestTime && key < bestKey)) break;
      times[i] = bestTime;
      keys[i] = bestKey;
      slots[i] = slots[best] as number;
      i = best;
    }
    times[i] = time;
    keys[i] = key;
    slots[i] = slot;
  }

  private growHeap(): void {
    this.times = doubled(this.times, Float64Array);
    this.keys = doubled(this.keys, Float64Array);
    this.slots = doubled(this.slots, Uint32Array);
  }

  private growSlots(): void {
    this.sources = doubled(this.sources, Uint16Array);
    this.targets = doubled(this.targets, Uint16Array);
    this.codes = doubled(this.codes, Int32Array);
    this.args = doubled(this.args, Float64Array);
    this.free = doubled(this.free, Uint32Array);
  }
}

function doubled<T extends { length: number; set(a: T): void }>(array: T, type: new (length: number) => T): T {
  const grown = new type(array.length * 2);
  grown.set(array);
  return grown;
}
