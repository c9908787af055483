import type { MemoryStep, Step } from './body.ts';
import type { Grid } from './grid.ts';
import { SmResources } from './sm-resources.ts';

/**
 * SMs in the same state: the same resident blocks at the same points. They advance together, at the cost of one; in
 * the block-by-block path every group holds one SM.
 */
export class SmGroup {
  /** Ascending SM indices. */
  readonly sms: Uint16Array;
  /** What is taken on each of the SMs. */
  resources = new SmResources();
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
  arithmeticDirty = false;
  /** Names its pending timer; a new group has none. */
  arithmeticVersion = 0;
  /** The oldest first. */
  residents: Cohort[] = [];

  constructor(sms: Uint16Array) {
    this.sms = sms;
  }

  /** Tracks of its resident blocks, ended ones included, on each SM. */
  tracks(): number {
    let n = 0;
    for (const cohort of this.residents) n += cohort.tracks.length;
    return n;
  }

  /** A copy of this group's state for some of its SMs; residents are the caller's to divide. */
  divided(sms: Uint16Array): SmGroup {
    const part = new SmGroup(sms);
    part.resources = this.resources.copy();
    part.lastStart = this.lastStart;
    part.lastOp = this.lastOp;
    part.lastFill = this.lastFill;
    part.constantsReplaced = this.constantsReplaced;
    part.polling = this.polling;
    part.pollDirty = this.pollDirty;
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
  /** Tracks that are at a block barrier. */
  barrierArrivals = 0;

  constructor(grid: Grid, group: SmGroup, blocks: Uint32Array, start: number) {
    this.grid = grid;
    this.group = group;
    this.blocks = blocks;
    this.start = start;
    this.liveTracks = grid.body.tracks.length;
  }

  /** Blocks, one on each SM of the group. */
  get count(): number {
    return this.blocks.length;
  }
}

/** What a track is doing: `timed` until its timer, in a shared phase, or standing still until something happens. */
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
  /** Its number among those with timers (track-timers.ts), or -1, and which use of that number this is. */
  id = -1;
  version = 0;
  step = 0;
  state: TrackState = 'timed';
  /** Time of the pending timer while `timed`; earliest return while `waiting`. */
  at = 0;
  /** When it last used its constants: later launches on its SM have replaced them. */
  constantsAt = 0;
  /** It holds one of the SM's slots for polling the timer. */
  polls = false;
  /** It loads what L2 holds: the pending timer ends that. */
  inCache = false;
  /** A trigger or wait has been issued and takes effect at the timer. */
  issuing = false;

  /** What is left of the current shared phase at `settled`, per block: iterations, or bytes. */
  remaining = 0;
  /** Of that per ps, and what it would be if its own grid's resident blocks had the resource alone. */
  rate = 0;
  ownRate = 0;
  settled = 0;
  finish = Number.POSITIVE_INFINITY;
  /** When the phase began; what was done by `aloneSettled` would have taken so long at its own rates, ps. */
  sharedSince = 0;
  sharedAlone = 0;
  aloneSettled = 0;
  /** The most bytes per ps that a block can stream. */
  limit = 0;
  /** Part of that which older blocks leave it that compute on the same SM: all of them, and those of its own grid. */
  scale = 1;
  ownScale = 1;

  constructor(cohort: Cohort, index: number) {
    this.cohort = cohort;
    this.index = index;
    const body = cohort.grid.body.tracks[index];
    this.warps = body?.warps ?? 1;
    this.steps = body?.steps ?? [];
  }

  /** The same point of the same work, for a part of the cohort; it has no timer yet. */
  copyFor(cohort: Cohort): Track {
    const copy = new Track(cohort, this.index);
    copy.step = this.step;
    copy.state = this.state;
    copy.at = this.at;
    copy.constantsAt = this.constantsAt;
    copy.polls = this.polls;
    copy.inCache = this.inCache;
    copy.issuing = this.issuing;
    copy.remaining = this.remaining;
    copy.rate = this.rate;
    copy.ownRate = this.ownRate;
    copy.settled = this.settled;
    copy.finish = this.finish;
    copy.sharedSince = this.sharedSince;
    copy.sharedAlone = this.sharedAlone;
    copy.aloneSettled = this.aloneSettled;
    copy.limit = this.limit;
    copy.scale = this.scale;
    copy.ownScale = this.ownScale;
    return copy;
  }
}

/** What a track that streams is at. */
export function memoryStep(track: Track): MemoryStep {
  return track.steps[track.step] as MemoryStep;
}
