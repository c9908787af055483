import { Arithmetic, computes } from './arithmetic.ts';
import { Barriers } from './barriers.ts';
import type { DeviceTimes, MemoryStep, Step } from './body.ts';
import { CachedLoads } from './cached-loads.ts';
import { Division } from './division.ts';
import type { Flags } from './flags.ts';
import type { Grid } from './grid.ts';
import { type ExecutionEvents, GridProgress } from './grid-progress.ts';
import { earlier, later } from './instants.ts';
import type { L2Cache } from './l2-cache.ts';
import { meetingOf } from './meetings.ts';
import { Memory } from './memory.ts';
import { Polling, type PollStep } from './polling.ts';
import { type Cohort, Track } from './residency.ts';
import { TrackTimers } from './track-timers.ts';
import { TracksByGrid } from './tracks-by-grid.ts';
import type { Clock } from './unit-context.ts';

/** Runs resident blocks through the steps of their bodies, cohort by cohort. */
export class BlockExecution {
  readonly arithmetic: Arithmetic;
  readonly memory: Memory;
  readonly polling: Polling;
  readonly division: Division;
  private readonly times: DeviceTimes;
  private readonly progress: GridProgress;
  private readonly flags: Flags;
  private readonly loads: CachedLoads;
  private readonly barriers: Barriers;
  private readonly timers = new TrackTimers();
  /** Tracks in a griddepcontrol.wait that has not returned. */
  private readonly waiting = new TracksByGrid();

  constructor(times: DeviceTimes, flags: Flags, cache: L2Cache, events: ExecutionEvents) {
    this.times = times;
    this.progress = new GridProgress(events);
    this.flags = flags;
    this.loads = new CachedLoads(cache);
    const next = (track: Track, clock: Clock): void => this.proceed(track, clock);
    this.barriers = new Barriers(times, (track, at, clock) => this.after(track, at, clock));
    this.arithmetic = new Arithmetic(times, next, (track, scale, ownScale, clock) =>
      this.memory.throttle(track, scale, ownScale, clock),
    );
    this.polling = new Polling(times, (track, step, now, clock) => this.poll(track, step, now, clock));
    this.memory = new Memory(times, (track, clock) => {
      this.loads.leave(track, clock.now);
      this.proceed(track, clock);
    });
    const { timers, waiting, arithmetic, memory, polling } = this;
    const { atGridBarrier } = this.barriers;
    this.division = new Division({ timers, waiting, atGridBarrier, flags, memory, arithmetic, polling });
  }

  /** Starts the blocks of a cohort that was placed; `warm` says that its code and data were just used on these SMs. */
  begin(cohort: Cohort, warm: boolean, clock: Clock): void {
    const { grid } = cohort;
    const first = !grid.body.instrumented ? 0 : warm ? this.times.stampFirstWarm : this.times.stampFirstCold;
    for (let i = 0; i < grid.body.tracks.length; i++) {
      const track = new Track(cohort, i);
      cohort.tracks.push(track);
      this.timers.add(track);
      track.step = -1;
      track.constantsAt = cohort.start;
      this.open(track, cohort.start + first, clock);
    }
    if (grid.triggerAtStart) this.progress.trigger(cohort, cohort.start, clock);
  }

  /** A timer that a track set: its step, or the issue of its trigger or wait, is over. */
  timer(argument: number, clock: Clock): void {
    const track = this.timers.due(argument);
    if (track === undefined) return;
    clock.about(track.cohort.grid.operation.op);
    if (track.issuing) {
      track.issuing = false;
      this.takeEffect(track, clock);
      return;
    }
    if (track.inCache) {
      track.inCache = false;
      this.loads.leave(track, clock.now);
    }
    this.proceed(track, clock);
  }

  /** All prerequisites of a grid are complete: its waits return now, or when they come. */
  release(grid: Grid, clock: Clock): void {
    grid.release = clock.now;
    for (const track of this.waiting.take(grid)) this.afterWait(track, Math.max(track.at, clock.now), clock);
  }

  /** A flag that a track awaited now holds its value. */
  resume(track: Track, clock: Clock): void {
    this.after(track, clock.now, clock);
  }

  /** The first step, entered ahead of time where nothing but time passes before it. */
  private open(track: Track, at: number, clock: Clock): void {
    const step = track.steps[0];
    const timed = step?.kind === 'delay' || step?.kind === 'trigger' || step?.kind === 'wait';
    const polls = (step?.kind === 'spin' || step?.kind === 'ramp') && this.polling.uncontended(track);
    if (step === undefined || (!timed && !polls)) {
      this.after(track, at, clock);
      return;
    }
    track.step = 0;
    this.enter(track, step, at, clock);
  }

  /**
   * A step is over. The next needs the launch's constants; a launch that started on the same SM meanwhile has replaced
   * them (case family `gap-pdl-waitfirst-triggerfirst-*`: only the chain's last kernel, with none after it, is spared).
   */
  private proceed(track: Track, clock: Clock): void {
    const { now } = clock;
    const { constantsReplaced } = track.cohort.group;
    if (track.polls) this.polling.leave(track, clock);
    if (track.constantsAt < constantsReplaced && constantsReplaced <= now) {
      track.constantsAt = now;
      const spread = track.cohort.grid.body.blocks > 1 ? this.times.constantMissSpread : 0;
      this.after(track, now + this.times.constantMiss + spread, clock);
    } else this.advance(track, now, clock);
  }

  /** Goes on to the next step at a time not before now. */
  private after(track: Track, at: number, clock: Clock): void {
    track.state = 'timed';
    track.at = at;
    this.timers.set(track, at, clock);
  }

  private advance(track: Track, now: number, clock: Clock): void {
    track.step++;
    const step = track.steps[track.step];
    if (step === undefined) this.endTrack(track, clock);
    else this.enter(track, step, now, clock);
  }

  private enter(track: Track, step: Step, now: number, clock: Clock): void {
    const { cohort } = track;
    switch (step.kind) {
      case 'delay':
        this.after(track, now + step.duration, clock);
        break;
      case 'spin':
      case 'ramp':
        this.polling.enter(track, step, now, clock);
        break;
      case 'fma':
        this.arithmetic.begin(track, step.iterations, clock);
        break;
      case 'memory':
        this.access(track, step, clock);
        break;
      case 'trigger':
      case 'wait':
        track.issuing = true;
        this.after(track, now + step.cost + step.coResident * (cohort.group.resources.blocks - 1), clock);
        break;
      case 'blockBarrier':
        this.barriers.arriveAtBlock(track, clock);
        break;
      case 'gridBarrier':
        this.barriers.arriveAtGrid(track, clock);
        break;
      case 'signal':
        this.flags.signal(step.flag, step.value, clock);
        this.after(track, now, clock);
        break;
      case 'await':
        this.await(track, step.flag, step.value, now, clock);
        break;
      case 'rendezvous':
        this.await(track, meetingOf(cohort.grid.operation.op), 1, now, clock);
        break;
    }
  }

  private await(track: Track, flag: string, value: number, now: number, clock: Clock): void {
    if (this.flags.holds(flag, value)) {
      this.after(track, now, clock);
      return;
    }
    track.state = 'flag';
    this.flags.await(flag, value, track);
  }

  /** Loads from L2, at its pace, what it holds all of, and otherwise streams from memory. */
  private access(track: Track, step: MemoryStep, clock: Clock): void {
    if (step.cached !== undefined && this.loads.enter(track, step, clock.now)) {
      track.inCache = true;
      this.after(track, clock.now + Math.ceil((step.bytes / step.cached.rate) * 1e12), clock);
      return;
    }
    this.memory.begin(track, step, clock);
    if (computes(track.cohort.group)) this.arithmetic.touch(track.cohort.group, clock);
  }

  private poll(track: Track, step: PollStep, now: number, clock: Clock): void {
    const block = track.cohort.blocks[0] as number;
    const times = step.kind === 'ramp' ? 1 + (block % step.modulus) : 1;
    this.after(track, now + step.duration * times + step.after, clock);
  }

  /** A trigger or wait that was being issued. */
  private takeEffect(track: Track, clock: Clock): void {
    const step = track.steps[track.step] as Step;
    const { cohort } = track;
    const { now } = clock;
    if (step.kind === 'trigger') {
      const { when } = step;
      if (when === undefined || (cohort.blocks[0] as number) % when.modulus === when.residue)
        this.progress.trigger(cohort, now, clock);
      this.proceed(track, clock);
      return;
    }
    if (cohort.grid.release <= now) this.afterWait(track, now, clock);
    else {
      track.state = 'waiting';
      track.at = now;
      this.waiting.add(track);
    }
  }

  private afterWait(track: Track, at: number, clock: Clock): void {
    const { operation } = track.cohort.grid;
    operation.firstRelease = earlier(operation.firstRelease, at);
    operation.lastRelease = later(operation.lastRelease, at);
    this.after(track, at, clock);
  }

  private endTrack(track: Track, clock: Clock): void {
    const { cohort } = track;
    const { grid } = cohort;
    track.state = 'ended';
    this.timers.remove(track);
    cohort.liveTracks--;
    grid.liveTracks -= cohort.count;
    if (cohort.liveTracks > 0) this.barriers.openBlock(cohort, clock);
    else {
      this.progress.exit(cohort, clock);
      if (grid.remaining === 0) this.loads.forget(grid);
    }
    this.barriers.openGrid(grid, clock);
  }
}
