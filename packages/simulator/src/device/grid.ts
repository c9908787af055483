import type { KernelBody } from './body.ts';
import type { DeviceOperation } from './operation.ts';

/** How a grid is placed and run, beyond its operation and body. */
export interface GridOptions {
  /** Smaller is higher (docs/RULES.md 5.10). */
  readonly priority: number;
  readonly triggerAtStart: boolean;
  readonly cooperative: boolean;
  /** When its blocks may first start, ps. */
  readonly eligible: number;
  /** 0, 1, 2, ... for at least as many blocks as it has: grids take their part of it. */
  readonly blockIndices: Uint32Array;
}

/** A kernel launch on the device: its blocks placed, triggered and ended. */
export class Grid {
  readonly operation: DeviceOperation;
  readonly body: KernelBody;
  readonly priority: number;
  readonly triggerAtStart: boolean;
  readonly cooperative: boolean;
  readonly eligible: number;
  /** Index of the next block to place; blocks are placed in order. */
  nextBlock = 0;
  /** Blocks that have neither triggered nor exited. */
  untriggered: number;
  /** When a block that had not triggered exited last. */
  exitCountedAt = -1;
  /** Blocks that have not exited. */
  remaining: number;
  /** When waits return; Infinity while a prerequisite is incomplete. */
  release = Number.POSITIVE_INFINITY;
  /** Tracks, over all blocks, that are at a grid barrier. */
  barrierArrivals = 0;
  /** Tracks that take part in grid barriers and have not ended. */
  liveTracks: number;
  private readonly smsUsed: Uint16Array[] = [];
  private readonly blockIndices: Uint32Array;

  constructor(operation: DeviceOperation, body: KernelBody, options: GridOptions) {
    this.operation = operation;
    this.body = body;
    this.priority = options.priority;
    this.triggerAtStart = options.triggerAtStart;
    this.cooperative = options.cooperative;
    this.eligible = options.eligible;
    this.blockIndices = options.blockIndices;
    this.untriggered = body.blocks;
    this.remaining = body.blocks;
    this.liveTracks = body.blocks * body.tracks.length;
  }

  /** The next blocks, by index. */
  takeBlocks(n: number): Uint32Array {
    const first = this.nextBlock;
    this.nextBlock += n;
    return this.blockIndices.subarray(first, first + n);
  }

  /** Blocks of it start on these SMs. */
  noteSms(sms: Uint16Array): void {
    this.smsUsed.push(sms);
  }

  /** SMs that have run a block of it, of as many as the device has. */
  countSms(ofDevice: number): number {
    const [only] = this.smsUsed;
    if (this.smsUsed.length === 1 && only !== undefined) return only.length;
    const seen = new Uint8Array(ofDevice);
    let count = 0;
    for (const sms of this.smsUsed) {
      for (const sm of sms) {
        if (seen[sm] === 0) count++;
        seen[sm] = 1;
      }
    }
    return count;
  }

  /** Blocks that have not been placed. */
  get unplaced(): number {
    return this.body.blocks - this.nextBlock;
  }
}
