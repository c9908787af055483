import type { ActorId } from '../actor.ts';

/**
 * Layout of a record in a ring: time and sequence as 64-bit numbers, then source and target, and kind and number of
 * payload words, as 32-bit integers; then the payload in words of 8 bytes.
 */
export const RECORD_HEADER = 3;
const ACTOR_BITS = 14;
const ACTOR_MASK = 2 ** ACTOR_BITS - 1;
const LENGTH_BITS = 17;
const LENGTH_MASK = 2 ** LENGTH_BITS - 1;
/** The most payload words of a record. */
export const MOST_WORDS = LENGTH_MASK;

/** Words of a ring, and the same memory as 32-bit integers. */
export interface Words {
  readonly doubles: Float64Array;
  readonly integers: Int32Array;
  readonly bytes: Uint8Array;
}

export function wordsOf(doubles: Float64Array<ArrayBuffer>): Words {
  const { buffer, byteOffset, byteLength } = doubles;
  return {
    doubles,
    integers: new Int32Array(buffer, byteOffset, byteLength / 4),
    bytes: new Uint8Array(buffer, byteOffset, byteLength),
  };
}

/** Writes who sent a record to whom, its kind and the number of payload words. */
export function writeHeader(
  { integers }: Words,
  at: number,
  source: ActorId,
  target: ActorId,
  kind: number,
  words: number,
): void {
  const place = (at + 2) * 2;
  integers[place] = (source << ACTOR_BITS) | target;
  integers[place + 1] = (kind << LENGTH_BITS) | words;
}

export function sourceAt({ integers }: Words, at: number): ActorId {
  return (integers[(at + 2) * 2] as number) >>> ACTOR_BITS;
}

export function targetAt({ integers }: Words, at: number): ActorId {
  return (integers[(at + 2) * 2] as number) & ACTOR_MASK;
}

export function kindAt({ integers }: Words, at: number): number {
  return (integers[(at + 2) * 2 + 1] as number) >>> LENGTH_BITS;
}

/** Words of a record with its header. */
export function lengthAt({ integers }: Words, at: number): number {
  return RECORD_HEADER + ((integers[(at + 2) * 2 + 1] as number) & LENGTH_MASK);
}
