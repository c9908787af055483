import { SUB_PARTITIONS } from '@griddep/machine';
import type { DeviceTimes } from './body.ts';
import type { Grid } from './grid.ts';
import type { SmGroup, Track } from './residency.ts';
import { beginShared, endShared, setRates } from './shared-phase.ts';
import { type Clock, PRIORITY, TIMER } from './unit-context.ts';

/** Part of an SM's issue that is left to blocks that load or store, however many older ones compute. */
const LEAST_ISSUE = 1e-3;

/**
 * Arithmetic of an SM, shared by its resident warps: an SM issues so many instructions per time, and the oldest block
 * is served first (case families `fma-*`). Each group of SMs is shared for itself.
 */
export class Arithmetic {
  private readonly times: DeviceTimes;
  private dirty: SmGroup[] = [];
  private requested = -1;
  private readonly groups = new Map<number, SmGroup>();
  private nextId = 0;
  private readonly finished: (track: Track, clock: Clock) => void;

  /** Tells what part of its own rate a track that loads or stores can have, and would have beside its own grid alone. */
  private readonly throttle: (track: Track, scale: number, ownScale: number, clock: Clock) => void;

  constructor(
    times: DeviceTimes,
    finished: (track: Track, clock: Clock) => void,
    throttle: (track: Track, scale: number, ownScale: number, clock: Clock) => void,
  ) {
    this.times = times;
    this.finished = finished;
    this.throttle = throttle;
  }

  /** A track begins an arithmetic phase. */
  begin(track: Track, iterations: number, clock: Clock): void {
    track.state = 'fma';
    beginShared(track, iterations, clock.now);
    this.touch(track.cohort.group, clock);
  }

  /** Notes that a group's members changed; rates follow within this instant. */
  touch(group: SmGroup, clock: Clock): void {
    if (!group.arithmeticDirty) {
      group.arithmeticDirty = true;
      this.dirty.push(group);
    }
    if (this.requested !== clock.now) {
      this.requested = clock.now;
      clock.timer(clock.now, PRIORITY.arithmetic, TIMER.arithmetic, 0);
    }
  }

  /** A new group took over computing tracks of another: it needs its own timer, or its place among the dirty. */
  adopted(group: SmGroup, clock: Clock): void {
    if (group.arithmeticDirty) this.dirty.push(group);
    else if (computing(group).length > 0) this.schedule(group, clock);
  }

  /** Shares the SMs whose members changed in this instant. */
  recompute(clock: Clock): void {
    this.requested = -1;
    const groups = this.dirty;
    this.dirty = [];
    for (const group of groups) {
      group.arithmeticDirty = false;
      this.share(group, clock);
    }
  }

  /** The timer of a group's next end; `argument` is the group's version when it was set. */
  end(argument: number, clock: Clock): void {
    const group = this.groups.get(argument);
    this.groups.delete(argument);
    if (group === undefined || group.arithmeticVersion !== argument) return;
    const done = computing(group).filter((t) => t.finish <= clock.now);
    for (const track of done) {
      endShared(track, 'arithmetic', clock.now);
      track.state = 'timed';
      this.finished(track, clock);
    }
    this.touch(group, clock);
  }

  /** Time of one iteration alone on the SM, ps: latency of one warp a scheduler, or issue of several. */
  private iterationTime(track: Track): number {
    const perScheduler = Math.max(1, track.warps / SUB_PARTITIONS);
    return Math.max(
      this.times.fmaIteration,
      this.times.fmaIterationPerWarp * perScheduler + this.times.fmaIterationOverhead,
    );
  }

  /** Issue time of one iteration, ps of the whole SM. */
  private issue(track: Track): number {
    return (this.times.fmaIterationPerWarp * track.warps) / SUB_PARTITIONS;
  }

  private share(group: SmGroup, clock: Clock): void {
    const tracks = computing(group);
    this.leaveToMemory(group, clock);
    if (tracks.length === 0) return;
    const rates = this.rates(tracks);
    const first = tracks[0]?.cohort.grid;
    const own = tracks.every(({ cohort }) => cohort.grid === first) ? rates : this.ownRates(tracks);
    tracks.forEach((track, i) => {
      setRates(track, rates[i] as number, own[i] as number, clock.now);
    });
    this.schedule(group, clock);
  }

  /** Iterations per ps of tracks that share an SM, the oldest first. */
  private rates(tracks: readonly Track[]): number[] {
    const demand = tracks.map((t) => Math.min(1, this.issue(t) / this.iterationTime(t)));
    const contended = demand.reduce((a, b) => a + b, 0) > 1;
    let left = 1;
    return tracks.map((track, i) => {
      const wanted = demand[i] as number;
      const younger = i < tracks.length - 1;
      const share = Math.min(wanted, contended && younger ? left * this.times.fmaOldestShare : left);
      left -= share;
      return share / this.issue(track);
    });
  }

  /** The same, as if each shared the SM with those of its own grid only. */
  private ownRates(tracks: readonly Track[]): number[] {
    const own = new Map<Track, number>();
    for (const grid of new Set(tracks.map(({ cohort }) => cohort.grid))) {
      const of = tracks.filter(({ cohort }) => cohort.grid === grid);
      for (const [i, rate] of this.rates(of).entries()) own.set(of[i] as Track, rate);
    }
    return tracks.map((track) => own.get(track) as number);
  }

  /** Blocks that load or store need some of the issue too, and get what older blocks that compute leave. */
  private leaveToMemory(group: SmGroup, clock: Clock): void {
    let left = 1;
    const own = new Map<Grid, number>();
    for (const { tracks, grid } of group.residents) {
      for (const track of tracks) {
        const ownLeft = own.get(grid) ?? 1;
        if (track.state === 'fma') {
          const taken = Math.min(this.times.fmaOldestShare, this.issue(track) / this.iterationTime(track));
          left -= left * taken;
          own.set(grid, ownLeft - ownLeft * taken);
        } else if (track.state === 'memory') {
          this.throttle(track, this.scaleOf(left), this.scaleOf(ownLeft), clock);
        }
      }
    }
  }

  /** Part of its own rate that a block which loads or stores can have, where others leave it so much of the issue. */
  private scaleOf(left: number): number {
    return Math.min(1, Math.max(left, LEAST_ISSUE) / this.times.memoryIssueShare);
  }

  private schedule(group: SmGroup, clock: Clock): void {
    let next = Number.POSITIVE_INFINITY;
    for (const track of computing(group)) {
      if (track.finish < next) clock.about(track.cohort.grid.operation.op);
      next = Math.min(next, track.finish);
    }
    this.groups.delete(group.arithmeticVersion);
    group.arithmeticVersion = ++this.nextId;
    if (next === Number.POSITIVE_INFINITY) return;
    this.groups.set(group.arithmeticVersion, group);
    clock.timer(next, PRIORITY.step, TIMER.arithmeticEnd, group.arithmeticVersion);
  }
}

/** Whether any block of a group is in an arithmetic phase. */
export function computes(group: SmGroup): boolean {
  return group.residents.some((c) => c.tracks.some((t) => t.state === 'fma'));
}

/** Tracks in an arithmetic phase, the oldest block first. */
function computing(group: SmGroup): Track[] {
  const tracks: Track[] = [];
  for (const cohort of group.residents)
    for (const track of cohort.tracks) if (track.state === 'fma') tracks.push(track);
  return tracks;
}
