import type { MemoryStep } from './body.ts';
import type { Grid } from './grid.ts';
import type { Footprint, L2Cache } from './l2-cache.ts';
import type { Track } from './residency.ts';

/** More steps than a track has. */
const STEPS = 4096;

/** What a memory step of a grid's blocks touches, whether L2 held it when the first came, and the blocks not through. */
interface Use {
  readonly footprint: Footprint;
  readonly evictFirst: boolean;
  readonly hits: boolean;
  left: number;
}

/** The memory steps of grids as L2 sees them: found once for all blocks of a grid, entered when the last is through. */
export class CachedLoads {
  private readonly cache: L2Cache;
  private readonly uses = new Map<Grid, Map<number, Use>>();

  constructor(cache: L2Cache) {
    this.cache = cache;
  }

  /** A track comes to a memory step; true if L2 holds all that its grid loads there. */
  enter(track: Track, { cached, access }: MemoryStep, now: number): boolean {
    if (cached === undefined) return false;
    const { grid } = track.cohort;
    const key = track.index * STEPS + track.step;
    const uses = this.uses.get(grid) ?? new Map<number, Use>();
    const known = uses.get(key);
    if (known !== undefined) return known.hits;
    const { work, op } = grid.operation;
    const args = (work.type === 'kernel' ? work.args : undefined) ?? {};
    const footprint = this.cache.footprint(cached.range, grid.body.blocks, args);
    if (footprint === undefined) return false;
    const hits = access === 'load' && this.cache.holds(footprint, op, now);
    this.uses.set(grid, uses.set(key, { footprint, evictFirst: cached.evictFirst, hits, left: grid.body.blocks }));
    return hits;
  }

  /** A track is through with its memory step: the last of a grid leaves the range in L2. */
  leave(track: Track, now: number): void {
    const { grid, count } = track.cohort;
    const use = this.uses.get(grid)?.get(track.index * STEPS + track.step);
    if (use === undefined) return;
    use.left -= count;
    if (use.left === 0) this.cache.enter(use.footprint, use.evictFirst, grid.operation.op, now);
  }

  /** All blocks of a grid have exited. */
  forget(grid: Grid): void {
    this.uses.delete(grid);
  }
}
