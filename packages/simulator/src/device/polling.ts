import type { DeviceTimes, Step } from './body.ts';
import type { SmGroup, Track } from './residency.ts';
import { type Clock, PRIORITY, TIMER } from './unit-context.ts';

/** A step that polls the SM's timer. */
export type PollStep = Step & { readonly kind: 'spin' | 'ramp' };

/**
 * Busy-waiting on an SM's timer: only so many warps of an SM make progress at once, the oldest blocks first; the
 * younger stand still (case family `resident-spin-*`).
 */
export class Polling {
  private readonly slots: number;
  private readonly begin: (track: Track, step: PollStep, now: number, clock: Clock) => void;
  private dirty: SmGroup[] = [];
  private requested = -1;

  constructor(times: DeviceTimes, begin: (track: Track, step: PollStep, now: number, clock: Clock) => void) {
    this.slots = times.pollingWarps;
    this.begin = begin;
  }

  /** There are slots for all tracks on its SM, so that it need not wait for one. */
  uncontended(track: Track): boolean {
    return track.cohort.group.tracks() <= this.slots;
  }

  /** A track polls from a time on, now or later. */
  enter(track: Track, step: PollStep, now: number, clock: Clock): void {
    const { group } = track.cohort;
    if (this.uncontended(track)) {
      this.start(track, step, now, clock);
      return;
    }
    // Who is the oldest shows only when all that happens in this instant has happened.
    track.state = 'pollQueue';
    this.request(group, clock);
  }

  /** A track's polling is over: it gives back its slot. */
  leave(track: Track, clock: Clock): void {
    const { group } = track.cohort;
    track.polls = false;
    group.polling--;
    if (group.tracks() >= this.slots) this.request(group, clock);
  }

  /** A new group took over tracks of another. */
  adopted(group: SmGroup): void {
    if (group.pollDirty) this.dirty.push(group);
  }

  /** Gives free slots to the oldest blocks that want one. */
  pass(clock: Clock): void {
    this.requested = -1;
    const groups = this.dirty;
    this.dirty = [];
    for (const group of groups) {
      group.pollDirty = false;
      for (const cohort of group.residents) {
        for (const track of cohort.tracks) {
          if (group.polling >= this.slots) break;
          if (track.state === 'pollQueue') this.start(track, track.steps[track.step] as PollStep, clock.now, clock);
        }
      }
    }
  }

  private start(track: Track, step: PollStep, now: number, clock: Clock): void {
    track.polls = true;
    track.cohort.group.polling++;
    this.begin(track, step, now, clock);
  }

  private request(group: SmGroup, clock: Clock): void {
    if (!group.pollDirty) {
      group.pollDirty = true;
      this.dirty.push(group);
    }
    if (this.requested === clock.now) return;
    this.requested = clock.now;
    clock.timer(clock.now, PRIORITY.polling, TIMER.polling, 0);
  }
}
