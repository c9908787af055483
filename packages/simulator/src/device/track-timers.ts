import type { Track } from './residency.ts';
import { type Clock, PRIORITY, TIMER } from './unit-context.ts';

/** Tracks that can be live at once; the rest of a timer's argument counts versions. */
const TRACK_IDS = 2 ** 22;

/** Timers of tracks. A timer names its track by a number, which another takes over once that is gone. */
export class TrackTimers {
  private readonly tracks: (Track | undefined)[] = [];
  private readonly freeIds: number[] = [];
  /** Uses of each number so far: a timer of an earlier user is void. */
  private readonly versions: number[] = [];

  /** Gives a track its number. @throws Error if too many tracks are live at once. */
  add(track: Track): void {
    const id = this.freeIds.pop() ?? this.tracks.length;
    if (id >= TRACK_IDS) throw new Error(`more than ${TRACK_IDS} tracks of blocks are live at once`);
    track.id = id;
    track.version = (this.versions[id] ?? -1) + 1;
    this.versions[id] = track.version;
    this.tracks[id] = track;
  }

  /** A track needs no timer any more; a pending one is void. */
  remove(track: Track): void {
    if (track.id < 0) return;
    this.tracks[track.id] = undefined;
    this.freeIds.push(track.id);
    track.id = -1;
  }

  /** Sets a track's timer, of which it has one at a time, to an absolute time in ps. */
  set(track: Track, at: number, clock: Clock): void {
    clock.timer(at, PRIORITY.step, TIMER.track, track.version * TRACK_IDS + track.id);
  }

  /** The track whose timer has the argument, or undefined if it is gone. */
  due(argument: number): Track | undefined {
    const track = this.tracks[argument % TRACK_IDS];
    return track?.version === Math.floor(argument / TRACK_IDS) ? track : undefined;
  }
}
