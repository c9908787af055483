import type { DeviceLimits } from '@griddep/machine';
import type { KernelBody, Step } from './body.ts';
import type { Footprint } from './l2-cache.ts';
import type { DeviceOperation } from './operation.ts';

/** A memory step of a grid: its footprint, whether L2 held it, and the blocks that are not through with it. */
export interface CacheUse {
  readonly footprint: Footprint;
  readonly evictFirst: boolean;
  readonly hits: boolean;
  left: number;
}

/** A kernel launch on the device: its blocks placed, triggered and ended. */
export class Grid {
  readonly operation: DeviceOperation;
  readonly body: KernelBody;
  readonly priority: number;
  readonly triggerAtStart: boolean;
  readonly cooperative: boolean;
  /** When its blocks may first start. */
  readonly eligible: number;
  /** Index of the next block to place; blocks are placed in order. */
  nextBlock = 0;
  /** Blocks that have neither triggered nor exited. */
  untriggered: number;
  /** When a block that had not triggered exited last. */
  exitCountedAt = -1;
  remaining: number;
  lastStart = 0;
  /** When waits return; Infinity while a prerequisite is incomplete. */
  release = Number.POSITIVE_INFINITY;
  /** By track and step: what a memory step of its blocks touches, and whether L2 held it when the first came. */
  readonly cacheUses = new Map<number, CacheUse>();
  readonly waiting: Track[] = [];
  readonly atBarrier: Track[] = [];
  barrierArrivals = 0;
  /** Tracks that take part in grid barriers and have not ended. */
  liveTracks: number;
  private readonly smsUsed: Uint16Array[] = [];
  /** 0, 1, 2, ... as far as there are blocks: grids take their part of it. */
  private readonly blockIndices: Uint32Array;

  constructor(
    operation: DeviceOperation,
    body: KernelBody,
    options: {
      priority: number;
      triggerAtStart: boolean;
      cooperative: boolean;
      eligible: number;
      blockIndices: Uint32Array;
    },
  ) {
    this.blockIndices = options.blockIndices;
    this.operation = operation;
    this.body = body;
    this.priority = options.priority;
    this.triggerAtStart = options.triggerAtStart;
    this.cooperative = options.cooperative;
    this.eligible = options.eligible;
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

  noteSms(sms: Uint16Array): void {
    this.smsUsed.push(sms);
  }

  /** SMs that have run a block of it. */
  countSms(): number {
    const [only] = this.smsUsed;
    if (this.smsUsed.length === 1 && only !== undefined) return only.length;
    const all = new Set<number>();
    for (const sms of this.smsUsed) for (const sm of sms) all.add(sm);
    return all.size;
  }

  get unplaced(): number {
    return this.body.blocks - this.nextBlock;
  }
}

/** What keeps a block off an SM. */
export type Obstacle = 'registers' | 'sharedMemory' | 'threads' | 'blocks' | 'carveOut';

/**
 * SMs in the same state: the same resident blocks at the same points. They advance together, at the cost of one; in
 * the block-by-block path every group holds one SM.
 */
export class SmGroup {
  /** Ascending SM indices. */
  readonly sms: Uint16Array;
  threads = 0;
  warps = 0;
  registers = 0;
  sharedMemory = 0;
  blocks = 0;
  /** Bytes of shared memory that the SMs are configured for. */
  carveOut = 0;
  /** Latest block start, for the spacing of the next. */
  lastStart = Number.NEGATIVE_INFINITY;
  /** Operation whose block started last: its successors of the same launch find warm caches. */
  lastOp = -1;
  /** When blocks were placed here last. */
  lastFill = -1;
  /** Latest start of a block that replaced the constants of others here. */
  constantsReplaced = Number.NEGATIVE_INFINITY;
  /** Tracks that poll the SM's timer. */
  polling = 0;
  pollDirty = false;
  residents: Cohort[] = [];
  arithmeticVersion = 0;
  arithmeticDirty = false;

  constructor(sms: Uint16Array) {
    this.sms = sms;
  }

  /**
   * The first resource that a block of a kernel lacks here, or undefined if it fits. A kernel that prefers a larger
   * carve-out than the present one waits until the SM is empty, even where its block would fit (`carveout-pair-*`).
   */
  obstacle(body: KernelBody, limits: DeviceLimits): Obstacle | undefined {
    if (this.blocks + 1 > limits.blocksPerSm) return 'blocks';
    if (this.threads + body.threads > limits.threadsPerSm || this.warps + body.warps > limits.warpsPerSm)
      return 'threads';
    if (this.registers + body.registers > limits.registersPerSm) return 'registers';
    if (this.blocks === 0) return undefined;
    if (body.carveOut > this.carveOut) return 'carveOut';
    return this.sharedMemory + body.sharedMemory > this.carveOut ? 'sharedMemory' : undefined;
  }

  /** Blocks of a kernel that fit on each SM now. */
  fits(body: KernelBody, limits: DeviceLimits): number {
    const trial = this.divided(this.sms);
    let n = 0;
    for (; trial.obstacle(body, limits) === undefined; n++) trial.occupy(body);
    return n;
  }

  /** Takes the resources of one block on each SM; an empty SM is first configured for the kernel (`carveout-*`). */
  occupy(body: KernelBody): void {
    if (this.blocks === 0) this.carveOut = body.carveOut;
    this.blocks++;
    this.threads += body.threads;
    this.warps += body.warps;
    this.registers += body.registers;
    this.sharedMemory += body.sharedMemory;
  }

  vacate(body: KernelBody): void {
    this.blocks--;
    this.threads -= body.threads;
    this.warps -= body.warps;
    this.registers -= body.registers;
    this.sharedMemory -= body.sharedMemory;
  }

  /** Tracks of its resident blocks, ended ones included, on each SM. */
  tracks(): number {
    let n = 0;
    for (const cohort of this.residents) n += cohort.tracks.length;
    return n;
  }

  /** A copy of this group's scalar state for some of its SMs; residents are the caller's to divide. */
  divided(sms: Uint16Array): SmGroup {
    const part = new SmGroup(sms);
    part.threads = this.threads;
    part.warps = this.warps;
    part.registers = this.registers;
    part.sharedMemory = this.sharedMemory;
    part.blocks = this.blocks;
    part.carveOut = this.carveOut;
    part.lastStart = this.lastStart;
    part.lastOp = this.lastOp;
    part.polling = this.polling;
    part.pollDirty = this.pollDirty;
    part.lastFill = this.lastFill;
    part.constantsReplaced = this.constantsReplaced;
    part.arithmeticDirty = this.arithmeticDirty;
    return part;
  }
}

/** One block of a grid on each SM of a group, all in the same state. */
export class Cohort {
  readonly grid: Grid;
  readonly group: SmGroup;
  /** Linear block index on each SM of the group, in the order of its SMs. */
  readonly blocks: Uint32Array;
  readonly start: number;
  readonly tracks: Track[] = [];
  triggered = false;
  liveTracks: number;
  barrierArrivals = 0;

  constructor(grid: Grid, group: SmGroup, blocks: Uint32Array, start: number) {
    this.grid = grid;
    this.group = group;
    this.blocks = blocks;
    this.start = start;
    this.liveTracks = grid.body.tracks.length;
  }

  get count(): number {
    return this.blocks.length;
  }
}

export type TrackState =
  | 'timed'
  | 'waiting'
  | 'blockBarrier'
  | 'gridBarrier'
  | 'flag'
  | 'pollQueue'
  | 'fma'
  | 'memory'
  | 'ended';

/** The warps of one role of a cohort's blocks. */
export class Track {
  readonly cohort: Cohort;
  readonly index: number;
  readonly warps: number;
  readonly steps: readonly Step[];
  id = -1;
  /** Which use of the id this is, see BlockExecution. */
  version = 0;
  step = 0;
  state: TrackState = 'timed';
  /** Time of the pending timer while `timed`; earliest return while `waiting`. */
  at = 0;
  /** When it last used its constants: later launches on its SM have replaced them. */
  constantsAt = 0;
  /** It holds one of the SM's slots for polling the timer. */
  polls = false;
  /** It loads what L2 holds before the rest of its step. */
  inCache = false;
  /** A trigger or wait has been issued and takes effect at the timer. */
  issuing = false;

  /** Work left in the current shared phase at `settled`: FMA iterations or bytes, per block. */
  remaining = 0;
  /** Iterations per ps or bytes per ps. */
  rate = 0;
  settled = 0;
  finish = Number.POSITIVE_INFINITY;
  sharedSince = 0;
  sharedAlone = 0;

  constructor(cohort: Cohort, index: number) {
    this.cohort = cohort;
    this.index = index;
    const body = cohort.grid.body.tracks[index];
    this.warps = body?.warps ?? 1;
    this.steps = body?.steps ?? [];
  }

  /** The same point of the same work, for a part of the cohort. */
  copyFor(cohort: Cohort): Track {
    const copy = new Track(cohort, this.index);
    const {
      step,
      state,
      at,
      constantsAt,
      polls,
      inCache,
      issuing,
      remaining,
      rate,
      settled,
      finish,
      sharedSince,
      sharedAlone,
    } = this;
    return Object.assign(copy, {
      step,
      state,
      at,
      constantsAt,
      polls,
      inCache,
      issuing,
      remaining,
      rate,
      settled,
      finish,
      sharedSince,
      sharedAlone,
    });
  }
}
