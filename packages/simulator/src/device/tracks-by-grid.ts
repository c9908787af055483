import type { Grid } from './grid.ts';
import type { Track } from './residency.ts';

/** Tracks that stand still until something happens to their grid, in the order in which they came. */
export class TracksByGrid {
  private readonly tracks = new Map<Grid, Track[]>();

  /** A track stands still. */
  add(track: Track): void {
    const { grid } = track.cohort;
    const known = this.tracks.get(grid);
    if (known === undefined) this.tracks.set(grid, [track]);
    else known.push(track);
  }

  /** Takes out a track that goes on as others (division.ts). */
  remove(track: Track): void {
    const known = this.tracks.get(track.cohort.grid);
    const i = known?.indexOf(track) ?? -1;
    if (i >= 0) known?.splice(i, 1);
  }

  /** Takes out all tracks of a grid. */
  take(grid: Grid): readonly Track[] {
    const known = this.tracks.get(grid);
    if (known === undefined) return NONE;
    this.tracks.delete(grid);
    return known;
  }
}

const NONE: readonly Track[] = [];
