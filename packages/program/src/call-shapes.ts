import type { CallCodec } from './call-codec.ts';
import type { Call } from './calls.ts';
import { grown } from './grown.ts';

/**
 * The distinct calls of one host thread, in columns: a skeleton each, and its texts and numbers as leaves in one array.
 * Collectives over many devices make millions of calls that differ in a device or an offset, at 30 to 130 bytes each
 * here, and several times that as objects.
 */
export class CallShapes {
  private readonly codec: CallCodec;
  private skeletons = new Uint32Array(16);
  /** End of each shape's leaves; they begin where those of the shape before end. */
  private ends = new Uint32Array(16);
  private leaves = new Float64Array(64);
  /** Open addressing by hash: number of the shape and 1, or 0. */
  private slots = new Uint32Array(32);
  /** Calls that are made again, as objects that their uses share; undefined until asked for. */
  private readonly repeated = new Map<number, Call | undefined>();
  private size = 0;

  constructor(codec: CallCodec) {
    this.codec = codec;
  }

  get length(): number {
    return this.size;
  }

  /** Number of a call equal to this one, added if there is none. */
  add(call: Call): number {
    const encoded = this.codec.encode(call);
    const count = encoded.length;
    const mask = this.slots.length - 1;
    let slot = hashOf(this.codec.skeleton, encoded, count) & mask;
    for (;;) {
      const found = this.slots[slot] as number;
      if (found === 0) break;
      if (this.equals(found - 1, encoded, count)) {
        if (!this.repeated.has(found - 1)) this.repeated.set(found - 1, undefined);
        return found - 1;
      }
      slot = (slot + 1) & mask;
    }
    const shape = this.append(encoded, count);
    this.slots[slot] = shape + 1;
    if (2 * this.size > this.slots.length) this.rehash();
    return shape;
  }

  /** The call of a number; shared if it was added more than once, so not to be changed. */
  at(shape: number): Call {
    if (!(shape >= 0 && shape < this.size)) throw new RangeError(`distinct call ${shape} of ${this.size}`);
    const known = this.repeated.get(shape);
    if (known !== undefined) return known;
    const call = this.codec.decode(this.skeletons[shape] as number, this.leaves, this.begin(shape));
    if (this.repeated.has(shape)) this.repeated.set(shape, call);
    return call;
  }

  private begin(shape: number): number {
    return shape === 0 ? 0 : (this.ends[shape - 1] as number);
  }

  private equals(shape: number, encoded: readonly number[], count: number): boolean {
    if (this.skeletons[shape] !== this.codec.skeleton) return false;
    const begin = this.begin(shape);
    for (let i = 0; i < count; i++) if (this.leaves[begin + i] !== encoded[i]) return false;
    return true;
  }

  private append(encoded: readonly number[], count: number): number {
    const shape = this.size++;
    const begin = this.begin(shape);
    this.skeletons = grown(this.skeletons, this.size);
    this.ends = grown(this.ends, this.size);
    this.leaves = grown(this.leaves, begin + count);
    this.skeletons[shape] = this.codec.skeleton;
    this.ends[shape] = begin + count;
    for (let i = 0; i < count; i++) this.leaves[begin + i] = encoded[i] as number;
    return shape;
  }

  private rehash(): void {
    const slots = new Uint32Array(2 * this.slots.length);
    const mask = slots.length - 1;
    for (let shape = 0; shape < this.size; shape++) {
      const begin = this.begin(shape);
      const leaves = this.leaves.subarray(begin, this.ends[shape]);
      let slot = hashOf(this.skeletons[shape] as number, leaves, leaves.length) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = shape + 1;
    }
    this.slots = slots;
  }
}

function hashOf(skeleton: number, leaves: ArrayLike<number>, count: number): number {
  let hash = skeleton;
  for (let i = 0; i < count; i++) {
    const leaf = leaves[i] as number;
    hash = Math.imul(hash ^ (leaf | 0), 0x9e3779b1);
    hash ^= (hash >>> 15) ^ Math.imul(Math.floor(leaf / 2 ** 32), 0x85ebca6b);
  }
  return (hash ^ (hash >>> 16)) >>> 0;
}
