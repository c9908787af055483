import type { DeviceTimes } from './body.ts';
import type { Grid } from './grid.ts';
import type { Cohort, Track } from './residency.ts';
import { TracksByGrid } from './tracks-by-grid.ts';
import type { Clock } from './unit-context.ts';

/** Barriers of blocks and of grids: they open when every track that has not ended has come. */
export class Barriers {
  /** Tracks at a grid barrier. */
  readonly atGridBarrier = new TracksByGrid();
  private readonly times: DeviceTimes;
  /** A track goes on to its next step at a time. */
  private readonly goOn: (track: Track, at: number, clock: Clock) => void;

  constructor(times: DeviceTimes, goOn: (track: Track, at: number, clock: Clock) => void) {
    this.times = times;
    this.goOn = goOn;
  }

  /** A track comes to a block barrier. */
  arriveAtBlock(track: Track, clock: Clock): void {
    track.state = 'blockBarrier';
    track.cohort.barrierArrivals++;
    this.openBlock(track.cohort, clock);
  }

  /** A track comes to a grid barrier. */
  arriveAtGrid(track: Track, clock: Clock): void {
    const { grid, count } = track.cohort;
    track.state = 'gridBarrier';
    this.atGridBarrier.add(track);
    grid.barrierArrivals += count;
    this.openGrid(grid, clock);
  }

  /** Opens a block's barrier if nobody is missing; also asked when one that was missing has ended instead. */
  openBlock(cohort: Cohort, clock: Clock): void {
    if (cohort.barrierArrivals === 0 || cohort.barrierArrivals < cohort.liveTracks) return;
    cohort.barrierArrivals = 0;
    for (const track of cohort.tracks)
      if (track.state === 'blockBarrier') this.goOn(track, clock.now + this.times.barrier, clock);
  }

  /** The same for a grid's. */
  openGrid(grid: Grid, clock: Clock): void {
    if (grid.barrierArrivals === 0 || grid.barrierArrivals < grid.liveTracks) return;
    grid.barrierArrivals = 0;
    for (const track of this.atGridBarrier.take(grid)) this.goOn(track, clock.now, clock);
  }
}
