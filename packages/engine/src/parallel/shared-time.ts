import type { Time } from '../actor.ts';

/** 32-bit words that a time takes. */
export const TIME_WORDS = 3;
const VERSION = 0;
const HIGH = 1;
const LOW = 2;
/** Below 2 ** 53, a time has so many of these. */
const LOW_RANGE = 2 ** 27;
/** Stands for Infinity: more than any time's upper part. */
const NEVER = 2 ** 30;

/**
 * Writes a time (a whole number, or Infinity) that other threads read; one thread at a time writes it. In two halves, as
 * 64-bit atomics make an object of every number; an odd version says that they are being written.
 */
export function storeTime(words: Int32Array, at: number, time: Time): void {
  const high = time === Number.POSITIVE_INFINITY ? NEVER : Math.floor(time / LOW_RANGE);
  const low = time === Number.POSITIVE_INFINITY ? 0 : time - high * LOW_RANGE;
  const version = Atomics.load(words, at + VERSION);
  Atomics.store(words, at + VERSION, (version + 1) | 0);
  Atomics.store(words, at + HIGH, high);
  Atomics.store(words, at + LOW, low);
  Atomics.store(words, at + VERSION, (version + 2) | 0);
}

/** Reads a time that another thread writes. */
export function loadTime(words: Int32Array, at: number): Time {
  for (;;) {
    const version = Atomics.load(words, at + VERSION);
    const high = Atomics.load(words, at + HIGH);
    const low = Atomics.load(words, at + LOW);
    if ((version & 1) === 0 && Atomics.load(words, at + VERSION) === version) {
      return high === NEVER ? Number.POSITIVE_INFINITY : high * LOW_RANGE + low;
    }
  }
}
