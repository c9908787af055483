/** Places in the header, as 32-bit words. */
const LOCK = 0;
const HEAD = 1;
const TAIL = 2;
const HEADER_BYTES = 64;

/** Words that head and tail count up to before they begin again; a multiple of every capacity. */
const WRAP_MASK = 2 ** 30 - 1;
/** Attempts to get the lock; its holder has it only while it copies. */
const LOCK_SPINS = 10_000;
/** Fewer words than this are copied one by one. */
const FEW = 24;

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
  private readonly mask: number;

  constructor(memory: SharedArrayBuffer) {
    this.header = new Int32Array(memory, 0, HEADER_BYTES / 4);
    this.words = new Float64Array(memory, HEADER_BYTES);
    this.capacity = this.words.length;
    this.mask = this.capacity - 1;
  }

  /** Is there anything to read? */
  get isEmpty(): boolean {
    return Atomics.load(this.header, HEAD) === Atomics.load(this.header, TAIL);
  }

  /**
   * Appends words, all if there is room.
   *
   * @param part how many of them to write if there is room only for so many: records have to stay whole
   * @returns how many were written: none while another writer does not let go, who may have been ended while it wrote
   */
  write(source: Float64Array, from: number, count: number, part: (room: number) => number): number {
    const { header, words, mask } = this;
    if (!this.lock()) return 0;
    const tail = Atomics.load(header, TAIL);
    const room = this.capacity - ((tail - Atomics.load(header, HEAD)) & WRAP_MASK);
    const written = count <= room ? count : part(room);
    if (written < FEW) {
      for (let i = 0; i < written; i++) words[(tail + i) & mask] = source[from + i] as number;
    } else {
      const at = tail & mask;
      const first = Math.min(written, this.capacity - at);
      words.set(source.subarray(from, from + first), at);
      if (first < written) words.set(source.subarray(from + first, from + written), 0);
    }
    Atomics.store(header, TAIL, (tail + written) & WRAP_MASK);
    Atomics.store(header, LOCK, 0);
    return written;
  }

  /** Takes all words that are there; returns how many, at the front of the array, which has the ring's capacity. */
  read(target: Float64Array): number {
    const { header, words, mask } = this;
    const head = Atomics.load(header, HEAD);
    const count = (Atomics.load(header, TAIL) - head) & WRAP_MASK;
    if (count === 0) return 0;
    if (count < FEW) {
      for (let i = 0; i < count; i++) target[i] = words[(head + i) & mask] as number;
    } else {
      const at = head & mask;
      const first = Math.min(count, this.capacity - at);
      target.set(words.subarray(at, at + first), 0);
      if (first < count) target.set(words.subarray(0, count - first), first);
    }
    Atomics.store(header, HEAD, (head + count) & WRAP_MASK);
    return count;
  }

  private lock(): boolean {
    const { header } = this;
    for (let spins = 0; Atomics.compareExchange(header, LOCK, 0, 1) !== 0; spins++) {
      if (spins > LOCK_SPINS) return false;
    }
    return true;
  }
}
