/** Places in the header, as 32-bit words. */
const LOCK = 0;
const HEAD = 1;
const TAIL = 2;
const HEADER_BYTES = 64;

/** Words that head and tail count up to before they begin again; a multiple of every capacity. */
const WRAP = 2 ** 30;

/** Allocates the memory of an inbox. @param words capacity in 8-byte words, a power of two */
export function inboxMemory(words: number): SharedArrayBuffer {
  return new SharedArrayBuffer(HEADER_BYTES + words * 8);
}

/**
 * A ring of 8-byte words in shared memory, into which any thread writes whole batches under a lock, and from which one
 * thread reads. What it has no room for stays with the writer.
 */
export class Inbox {
  private readonly header: Int32Array;
  private readonly words: Float64Array;
  readonly capacity: number;

  constructor(memory: SharedArrayBuffer) {
    this.header = new Int32Array(memory, 0, HEADER_BYTES / 4);
    this.words = new Float64Array(memory, HEADER_BYTES);
    this.capacity = this.words.length;
  }

  /** Is there anything to read? */
  get isEmpty(): boolean {
    return Atomics.load(this.header, HEAD) === Atomics.load(this.header, TAIL);
  }

  /**
   * Appends as many words as there is room for, but only up to an end that `fits` allows, so that records stay whole.
   *
   * @param fits the largest number of words, at most `room`, that ends at a record's end
   * @returns how many words were written
   */
  write(source: Float64Array, from: number, fits: (room: number) => number): number {
    const { header, words, capacity } = this;
    this.lock();
    const tail = Atomics.load(header, TAIL);
    const used = (tail - Atomics.load(header, HEAD) + WRAP) % WRAP;
    const count = fits(capacity - used);
    if (count > 0) {
      const at = tail % capacity;
      const first = Math.min(count, capacity - at);
      words.set(source.subarray(from, from + first), at);
      if (first < count) words.set(source.subarray(from + first, from + count), 0);
      Atomics.store(header, TAIL, (tail + count) % WRAP);
    }
    this.unlock();
    return count;
  }

  /** Takes all words that are there; returns how many, at the front of the array, which has the ring's capacity. */
  read(target: Float64Array): number {
    const { header, words, capacity } = this;
    const head = Atomics.load(header, HEAD);
    const count = (Atomics.load(header, TAIL) - head + WRAP) % WRAP;
    if (count === 0) return 0;
    const at = head % capacity;
    const first = Math.min(count, capacity - at);
    target.set(words.subarray(at, at + first), 0);
    if (first < count) target.set(words.subarray(0, count - first), first);
    Atomics.store(header, HEAD, (head + count) % WRAP);
    return count;
  }

  private lock(): void {
    const { header } = this;
    for (let spins = 0; Atomics.compareExchange(header, LOCK, 0, 1) !== 0; spins++) {
      // The holder may have lost its core; it holds the lock only while it copies.
      if (spins > 1000) Atomics.wait(header, LOCK, 1, 1);
    }
  }

  private unlock(): void {
    Atomics.store(this.header, LOCK, 0);
  }
}
