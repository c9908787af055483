import type { Buffer, Bytes } from '@griddep/program';

/** Bytes that an access touches: `count` pieces of `bytes`, each `stride` after the one before; of one piece mostly. */
export interface Extent {
  /** Memory that can overlap has one name: space, device, allocation. */
  readonly memory: string;
  readonly begin: number;
  readonly bytes: Bytes;
  readonly stride: Bytes;
  readonly count: number;
}

export type AccessMode = 'read' | 'write' | 'atomic' | 'allocate' | 'free';

/** One access as it stands in the program; every execution of it shares this record. */
export interface Access {
  readonly extent: Extent;
  readonly buffer: Buffer;
  readonly mode: AccessMode;
  /** Whether its atomic operations reach other devices and the host. */
  readonly system: boolean;
  readonly nonCoherent: boolean;
  readonly asyncProxy: boolean;
  /** Of a kernel: where it stands. */
  readonly kernel?: string;
  readonly role?: string;
  readonly phase?: number;
}

/** One past the last byte. */
export function endOf({ begin, bytes, stride, count }: Extent): number {
  return begin + (count - 1) * stride + bytes;
}

export function isContiguous({ count }: Extent): boolean {
  return count === 1;
}

/** Pieces that are looked at one by one before an overlap is taken for granted. */
const MOST_PIECES = 1 << 16;

/** Whether two extents share a byte; exact but for two of very many pieces and different strides. */
export function overlap(a: Extent, b: Extent): boolean {
  if (a.memory !== b.memory || a.begin >= endOf(b) || b.begin >= endOf(a)) return false;
  const [few, many] = a.count <= b.count ? [a, b] : [b, a];
  if (few.count > MOST_PIECES && few.stride !== many.stride) return true;
  for (let i = 0; i < few.count && i < MOST_PIECES; i++) {
    if (meets(few.begin + i * few.stride, few.bytes, many)) return true;
  }
  return few.count > MOST_PIECES;
}

/** Whether [begin, begin + bytes) meets a piece of an extent. */
function meets(begin: number, bytes: number, { begin: from, bytes: size, stride, count }: Extent): boolean {
  if (count === 1) return begin < from + size && from < begin + bytes;
  const first = Math.max(0, Math.ceil((begin - from - size + 1) / stride));
  return first < count && from + first * stride < begin + bytes;
}

/** Whether two accesses may not happen at once; the devices are those that make them, -1 for the host. */
export function conflict(a: Access, deviceOfA: number, b: Access, deviceOfB: number): boolean {
  if (a.mode === 'read' && b.mode === 'read') return false;
  if (a.mode === 'atomic' && b.mode === 'atomic' && (deviceOfA === deviceOfB || (a.system && b.system))) return false;
  // What comes out of a pool has been given back to it before, by the pool's own order.
  if (isOfAllocator(a) && isOfAllocator(b) && !(a.mode === 'free' && b.mode === 'free')) return false;
  return overlap(a.extent, b.extent);
}

export function isOfAllocator({ mode }: Access): boolean {
  return mode === 'allocate' || mode === 'free';
}
