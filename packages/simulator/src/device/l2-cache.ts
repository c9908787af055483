import type { Buffer, BufferRange } from '@griddep/program';

/** Bytes of an allocation, [from, to). */
export interface Footprint {
  readonly allocation: string;
  readonly from: number;
  readonly to: number;
  /** Distance between the parts of successive blocks. */
  readonly blockStride: number;
}

/** Newest entries that are kept: older ones are taken to have been pushed out. */
const KEPT = 128;

interface Entry extends Footprint {
  readonly evictFirst: boolean;
  readonly since: number;
  readonly op: number;
}

/**
 * What L2 holds: the ranges that grids touched last, up to its usable size. A range enters when the grid's last block
 * is through with it (case families `pdl-contend-load*`, `pack-dequant-*`).
 */
export class L2Cache {
  private readonly usable: number;
  private readonly buffers: ReadonlyMap<string, Buffer>;
  private entries: Entry[] = [];

  constructor(usable: number, buffers: ReadonlyMap<string, Buffer>) {
    this.usable = usable;
    this.buffers = buffers;
  }

  /** What all blocks of a grid touch of a range; `args` names the buffers of its parameters. */
  footprint(range: BufferRange, blocks: number, args: Readonly<Record<string, string>>): Footprint | undefined {
    const name = range.buffer.startsWith('$') ? args[range.buffer.slice(1)] : range.buffer;
    const buffer = name === undefined ? undefined : this.buffers.get(name);
    if (buffer === undefined) return undefined;
    const from = buffer.offset + range.offset;
    const length = range.bytes + (blocks - 1) * range.blockStride;
    return {
      allocation: buffer.allocation,
      from,
      to: from + Math.min(length, range.wrap ?? length),
      blockStride: range.blockStride,
    };
  }

  /**
   * Whether all of a footprint entered before now and has not been pushed out, as an operation finds it. Where a part
   * is missing, the blocks that miss it decide when the grid ends, and it counts as missing altogether.
   */
  holds({ allocation, from, to, blockStride }: Footprint, op: number, now: number): boolean {
    if (to <= from) return false;
    let hit = 0;
    let newer = 0;
    for (let i = this.entries.length - 1; i >= 0 && newer < this.usable; i--) {
      const entry = this.entries[i] as Entry;
      if (entry.since >= now) continue;
      const kept = Math.min(entry.to - entry.from, this.usable - newer);
      newer += kept;
      if (entry.allocation !== allocation) continue;
      // Lines with the streaming hint are found again by the block that loaded them.
      if (entry.evictFirst && (entry.op !== op || entry.from !== from || entry.blockStride !== blockStride)) continue;
      // Of an entry that does not fit as a whole, what was touched last is kept.
      hit += Math.max(0, Math.min(to, entry.to) - Math.max(from, entry.to - kept));
    }
    return hit >= to - from;
  }

  /** A range enters, by an operation; `evictFirst` is the streaming hint of its loads. */
  enter(footprint: Footprint, evictFirst: boolean, op: number, now: number): void {
    const { entries } = this;
    const { allocation, from, to, blockStride } = footprint;
    // In the order of time and operation: what enters is nearly always the newest.
    let at = entries.length;
    for (; at > 0; at--) {
      const before = entries[at - 1] as Entry;
      if (before.since < now || (before.since === now && before.op <= op)) break;
    }
    entries.splice(at, 0, { allocation, from, to, blockStride, evictFirst, since: now, op });
    if (entries.length > 2 * KEPT) this.entries = entries.slice(-KEPT);
  }
}
