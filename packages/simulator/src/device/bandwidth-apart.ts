import { Bandwidth } from './bandwidth.ts';
import type { DeviceTimes } from './body.ts';
import type { Grid } from './grid.ts';
import type { Track } from './residency.ts';

/** How loads come up to the full rate of memory: not at all, from this instant on, or since an earlier one. */
export type Ramp = 'none' | 'begins' | 'lasts';

const NO_GRIDS: ReadonlySet<Grid> = new Set();

/** What each grid's blocks would get of the bandwidth of memory if no other grid, and no other device, used it. */
export class BandwidthApart {
  private readonly times: DeviceTimes;
  /** Part of the bandwidth during a ramp. */
  private readonly rampShare: number;
  /** By grid; empty while there is one and it has what it would have alone. */
  private readonly shares = new Map<Grid, Bandwidth>();
  private readonly spare: Bandwidth[] = [];
  /** Grids that would have come to the present ramp by themselves. */
  private ramped = NO_GRIDS;

  constructor(times: DeviceTimes, rampShare: number) {
    this.times = times;
    this.rampShare = rampShare;
  }

  /** Shares anew among all tracks that stream. @param others whether other devices read or write this memory */
  share(tracks: readonly Track[], others: boolean, ramp: Ramp): void {
    const { shares, spare } = this;
    for (const share of shares.values()) spare.push(share);
    shares.clear();
    const only = others ? undefined : onlyGrid(tracks);
    if (ramp === 'none') this.ramped = NO_GRIDS;
    if (ramp === 'begins' && only !== undefined) this.ramped = new Set([only]);
    if (only !== undefined && (ramp === 'none' || this.ramped.has(only))) return;
    const full = this.times.memoryBandwidth / 1e12;
    for (const track of tracks) this.of(track).want(track, track.ownScale);
    const wanting = [...shares].filter(([, share]) => share.contend(full)).map(([grid]) => grid);
    if (ramp === 'begins') this.ramped = new Set(wanting);
    for (const track of tracks) this.of(track).enter(track, track.ownScale);
    for (const [grid, share] of shares) share.divide(this.ramped.has(grid) ? full * this.rampShare : full);
  }

  /** What a block of a track would get, bytes per ps. @param rate what it gets */
  rateOf(track: Track, rate: number): number {
    return this.shares.size === 0 ? rate : this.of(track).rateOf(track, track.ownScale);
  }

  private of({ cohort: { grid } }: Track): Bandwidth {
    const known = this.shares.get(grid);
    if (known !== undefined) return known;
    const share = this.spare.pop() ?? new Bandwidth(this.times);
    share.clear();
    this.shares.set(grid, share);
    return share;
  }
}

/** The grid of all tracks, if there is one and no other holds it up on its SMs. */
function onlyGrid(tracks: readonly Track[]): Grid | undefined {
  const grid = tracks[0]?.cohort.grid;
  return tracks.every((track) => track.cohort.grid === grid && track.scale === track.ownScale) ? grid : undefined;
}
