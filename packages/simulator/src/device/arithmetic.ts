import { SUB_PARTITIONS } from '@griddep/machine';
import type { DeviceTimes } from './body.ts';
import type { SmGroup, Track } from './residency.ts';
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

  /** Tells what part of its own rate a track that loads or stores can have. */
  private readonly throttle: (track: Track, scale: number, clock: Clock) => void;

  constructor(
    times: DeviceTimes,
    finished: (track: Track, clock: Clock) => void,
    throttle: (track: Track, scale: number, clock: Clock) => void,
  ) {
    this.times = times;
    this.finished = finished;
    this.throttle = throttle;
  }

  /** A track begins an arithmetic phase. */
  begin(track: Track, iterations: number, clock: Clock): void {
    track.state = 'fma';
    track.remaining = iterations;
    track.rate = 0;
    track.settled = clock.now;
    track.sharedSince = clock.now;
    track.sharedAlone = Math.ceil(iterations * this.alone(track));
    track.finish = Number.POSITIVE_INFINITY;
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
      track.cohort.grid.operation.addShared(
        'arithmetic',
        (clock.now - track.sharedSince) * track.cohort.count,
        track.sharedAlone * track.cohort.count,
      );
      track.state = 'timed';
      this.finished(track, clock);
    }
    this.touch(group, clock);
  }

  /** Time of one iteration alone on the SM, ps: latency of one warp a scheduler, or issue of several. */
  private alone(track: Track): number {
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
    const demand = tracks.map((t) => Math.min(1, this.issue(t) / this.alone(t)));
    const contended = demand.reduce((a, b) => a + b, 0) > 1;
    let left = 1;
    tracks.forEach((track, i) => {
      const wanted = demand[i] as number;
      const younger = i < tracks.length - 1;
      const share = Math.min(wanted, contended && younger ? left * this.times.fmaOldestShare : left);
      left -= share;
      this.setRate(track, share / this.issue(track), clock.now);
    });
    this.schedule(group, clock);
  }

  /** Blocks that load or store need some of the issue too, and get what older blocks that compute leave. */
  private leaveToMemory(group: SmGroup, clock: Clock): void {
    let left = 1;
    for (const { tracks } of group.residents) {
      for (const track of tracks) {
        if (track.state === 'fma')
          left -= left * Math.min(this.times.fmaOldestShare, this.issue(track) / this.alone(track));
        else if (track.state === 'memory') {
          const scale = Math.max(left, LEAST_ISSUE) / this.times.memoryIssueShare;
          this.throttle(track, Math.min(1, scale), clock);
        }
      }
    }
  }

  private setRate(track: Track, rate: number, now: number): void {
    if (rate === track.rate) return;
    track.remaining = Math.max(0, track.remaining - track.rate * (now - track.settled));
    track.settled = now;
    track.rate = rate;
    track.finish = rate > 0 ? now + Math.ceil(track.remaining / rate) : Number.POSITIVE_INFINITY;
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
