import { Arithmetic, computes } from './arithmetic.ts';
import type { Access, CachedRange, DeviceTimes, Step } from './body.ts';
import type { Flags } from './flags.ts';
import { earlier, later } from './instants.ts';
import type { L2Cache } from './l2-cache.ts';
import { Memory, type MemoryStep } from './memory.ts';
import { Polling, type PollStep } from './polling.ts';
import { Cohort, type Grid, type SmGroup, Track } from './residency.ts';
import { type Clock, PRIORITY, TIMER } from './unit-context.ts';

/** Tracks that can be live at once; the rest of a timer's argument counts versions. */
const TRACK_IDS = 2 ** 22;

/** What the execution of blocks tells the rest of the device. */
export interface ExecutionEvents {
  /** Every block of the grid has triggered or, `byExit`, the last has exited instead. */
  triggered(grid: Grid, byExit: boolean, clock: Clock): void;
  /** Every block has exited. */
  ended(grid: Grid, clock: Clock): void;
  /** Blocks of a grid left some SMs: there may be room. */
  roomMade(grid: Grid, clock: Clock): void;
  blocksEnded?(cohort: Cohort, clock: Clock): void;
}

/** Runs resident blocks through the steps of their bodies, cohort by cohort. */
export class BlockExecution {
  readonly arithmetic: Arithmetic;
  readonly memory: Memory;
  readonly polling: Polling;
  private readonly times: DeviceTimes;
  private readonly events: ExecutionEvents;
  private readonly flags: Flags;
  private readonly cache: L2Cache;
  private readonly tracks: (Track | undefined)[] = [];
  private readonly freeIds: number[] = [];
  /** Uses of each id so far: a timer of an earlier user is void. */
  private readonly versions: number[] = [];

  constructor(times: DeviceTimes, flags: Flags, cache: L2Cache, events: ExecutionEvents) {
    this.times = times;
    this.cache = cache;
    this.events = events;
    this.flags = flags;
    const next = (track: Track, clock: Clock): void => this.proceed(track, clock);
    this.arithmetic = new Arithmetic(times, next, (track, scale, clock) => this.memory.throttle(track, scale, clock));
    this.polling = new Polling(times, (track, step, now, clock) => this.poll(track, step, now, clock));
    this.memory = new Memory(times, (track, clock) => {
      this.leaveStep(track, clock.now);
      this.proceed(track, clock);
    });
  }

  /** Starts the blocks of a cohort that was placed; `warm` says that its code and data were just used on these SMs. */
  begin(cohort: Cohort, warm: boolean, clock: Clock): void {
    const { grid } = cohort;
    const first = !grid.body.instrumented ? 0 : warm ? this.times.stampFirstWarm : this.times.stampFirstCold;
    for (let i = 0; i < grid.body.tracks.length; i++) {
      const track = new Track(cohort, i);
      cohort.tracks.push(track);
      this.register(track);
      track.step = -1;
      track.constantsAt = cohort.start;
      this.open(track, cohort.start + first, clock);
    }
    if (grid.triggerAtStart) this.trigger(cohort, cohort.start, clock);
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

  /** A track's timer. */
  timer(argument: number, clock: Clock): void {
    const track = this.tracks[argument % TRACK_IDS];
    if (track === undefined || track.version !== Math.floor(argument / TRACK_IDS)) return;
    if (track.issuing) {
      track.issuing = false;
      this.takeEffect(track, clock);
    } else if (track.inCache) {
      track.inCache = false;
      this.leaveStep(track, clock.now);
      this.proceed(track, clock);
    } else this.proceed(track, clock);
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

  /** All prerequisites of a grid are complete: its waits return now, or when they come. */
  release(grid: Grid, clock: Clock): void {
    grid.release = clock.now;
    for (const track of grid.waiting.splice(0)) this.afterWait(track, Math.max(track.at, clock.now), clock);
  }

  /** A flag that a track awaited now holds its value. */
  resume(track: Track, clock: Clock): void {
    this.after(track, clock.now, clock);
  }

  /** Divides a group: `sms` leave it for a group of their own, with their share of every resident cohort. */
  divide(group: SmGroup, sms: Uint16Array, clock: Clock): { part: SmGroup; rest: SmGroup } {
    const chosen = membership(group.sms, sms);
    const part = group.divided(sms);
    const rest = group.divided(complement(group.sms, sms, chosen));
    for (const cohort of group.residents) {
      this.moveTo(
        part,
        cohort,
        cohort.blocks.filter((_, i) => chosen[i] === 1),
        clock,
      );
      this.moveTo(
        rest,
        cohort,
        cohort.blocks.filter((_, i) => chosen[i] === 0),
        clock,
      );
      for (const track of cohort.tracks) this.forget(track);
    }
    group.residents = [];
    this.polling.adopted(part);
    this.polling.adopted(rest);
    this.arithmetic.adopted(part, clock);
    this.arithmetic.adopted(rest, clock);
    return { part, rest };
  }

  /** A part of a cohort's blocks, on the SMs of a group, at the same point of their work. */
  private moveTo(group: SmGroup, cohort: Cohort, blocks: Uint32Array, clock: Clock): void {
    const copy = new Cohort(cohort.grid, group, blocks, cohort.start);
    copy.triggered = cohort.triggered;
    copy.liveTracks = cohort.liveTracks;
    copy.barrierArrivals = cohort.barrierArrivals;
    group.residents.push(copy);
    for (const track of cohort.tracks) {
      const twin = track.copyFor(copy);
      copy.tracks.push(twin);
      if (twin.state !== 'ended') this.adopt(track, twin, clock);
    }
  }

  private adopt(original: Track, twin: Track, clock: Clock): void {
    this.register(twin);
    switch (twin.state) {
      case 'timed':
        clock.timer(twin.at, PRIORITY.step, TIMER.track, twin.version * TRACK_IDS + twin.id);
        break;
      case 'waiting':
        twin.cohort.grid.waiting.push(twin);
        break;
      case 'gridBarrier':
        twin.cohort.grid.atBarrier.push(twin);
        break;
      case 'flag':
        this.flags.replace(original, twin);
        break;
      case 'memory':
        this.memory.adopt(original, twin);
        break;
      default:
        break;
    }
  }

  private forget(track: Track): void {
    const { grid } = track.cohort;
    if (track.state === 'waiting') remove(grid.waiting, track);
    if (track.state === 'gridBarrier') remove(grid.atBarrier, track);
    if (track.state === 'flag') this.flags.forget(track);
    if (track.state === 'memory') this.memory.forget(track);
    this.unregister(track);
  }

  /** Goes on to the next step at a time not before now. */
  private after(track: Track, at: number, clock: Clock): void {
    track.state = 'timed';
    track.at = at;
    clock.timer(at, PRIORITY.step, TIMER.track, track.version * TRACK_IDS + track.id);
  }

  private advance(track: Track, now: number, clock: Clock): void {
    track.step++;
    const step = track.steps[track.step];
    if (step === undefined) {
      this.endTrack(track, now, clock);
      return;
    }
    this.enter(track, step, now, clock);
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
        this.after(track, now + step.cost + step.coResident * (cohort.group.blocks - 1), clock);
        break;
      case 'blockBarrier':
        this.blockBarrier(track, step.cost, clock);
        break;
      case 'gridBarrier':
        this.gridBarrier(track, step.cost, clock);
        break;
      case 'signal':
        this.flags.signal(step.flag, step.value, clock);
        this.after(track, now, clock);
        break;
      case 'await':
        if (this.flags.holds(step.flag, step.value)) this.after(track, now, clock);
        else {
          track.state = 'flag';
          this.flags.await(step.flag, step.value, track);
        }
        break;
    }
  }

  /** Loads from L2, at its pace, what it holds all of, and otherwise streams from memory. */
  private access(track: Track, step: MemoryStep, clock: Clock): void {
    if (step.cached !== undefined && this.cached(track, step.cached, step.access, clock.now)) {
      track.inCache = true;
      this.after(track, clock.now + Math.ceil((step.bytes / step.cached.rate) * 1e12), clock);
      return;
    }
    this.memory.begin(track, step, clock);
    if (computes(track.cohort.group)) this.arithmetic.touch(track.cohort.group, clock);
  }

  /** Found once for all blocks of the grid, when the first comes to the step. */
  private cached(track: Track, cached: CachedRange, access: Access, now: number): boolean {
    const { grid } = track.cohort;
    const known = grid.cacheUses.get(cacheKey(track));
    if (known !== undefined) return known.hits;
    const { work, op } = grid.operation;
    const args = (work.type === 'kernel' ? work.args : undefined) ?? {};
    const footprint = this.cache.footprint(cached.range, grid.body.blocks, args);
    if (footprint === undefined) return false;
    const hits = access === 'load' && this.cache.holds(footprint, op, now);
    const { evictFirst } = cached;
    grid.cacheUses.set(cacheKey(track), { footprint, evictFirst, hits, left: grid.body.blocks });
    return hits;
  }

  /** A cohort is through with a memory step: the last one leaves the range in L2. */
  private leaveStep(track: Track, now: number): void {
    const { grid, count } = track.cohort;
    const use = grid.cacheUses.get(cacheKey(track));
    if (use === undefined) return;
    use.left -= count;
    if (use.left === 0) this.cache.enter(use.footprint, use.evictFirst, grid.operation.op, now);
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
        this.trigger(cohort, now, clock);
      this.proceed(track, clock);
      return;
    }
    if (cohort.grid.release <= now) this.afterWait(track, now, clock);
    else {
      track.state = 'waiting';
      track.at = now;
      cohort.grid.waiting.push(track);
    }
  }

  private afterWait(track: Track, at: number, clock: Clock): void {
    const { operation } = track.cohort.grid;
    operation.firstRelease = earlier(operation.firstRelease, at);
    operation.lastRelease = later(operation.lastRelease, at);
    this.after(track, at, clock);
  }

  private trigger(cohort: Cohort, now: number, clock: Clock): void {
    if (cohort.triggered) return;
    cohort.triggered = true;
    const { grid } = cohort;
    const { operation } = grid;
    operation.firstTrigger = earlier(operation.firstTrigger, now);
    operation.lastTrigger = later(operation.lastTrigger, now);
    this.countTriggered(cohort, false, clock);
  }

  private countTriggered(cohort: Cohort, byExit: boolean, clock: Clock): void {
    const { grid } = cohort;
    grid.untriggered -= cohort.count;
    if (byExit) grid.exitCountedAt = clock.now;
    if (grid.untriggered === 0) this.events.triggered(grid, grid.exitCountedAt === clock.now, clock);
  }

  private blockBarrier(track: Track, cost: number, clock: Clock): void {
    const { cohort } = track;
    track.state = 'blockBarrier';
    cohort.barrierArrivals++;
    this.openBlockBarrier(cohort, cost, clock);
  }

  private openBlockBarrier(cohort: Cohort, cost: number, clock: Clock): void {
    if (cohort.barrierArrivals === 0 || cohort.barrierArrivals < cohort.liveTracks) return;
    cohort.barrierArrivals = 0;
    for (const track of cohort.tracks) if (track.state === 'blockBarrier') this.after(track, clock.now + cost, clock);
  }

  private gridBarrier(track: Track, cost: number, clock: Clock): void {
    const { grid, count } = track.cohort;
    track.state = 'gridBarrier';
    grid.atBarrier.push(track);
    grid.barrierArrivals += count;
    this.openGridBarrier(grid, cost, clock);
  }

  private openGridBarrier(grid: Grid, cost: number, clock: Clock): void {
    if (grid.barrierArrivals === 0 || grid.barrierArrivals < grid.liveTracks) return;
    grid.barrierArrivals = 0;
    for (const track of grid.atBarrier.splice(0)) this.after(track, clock.now + cost, clock);
  }

  private endTrack(track: Track, now: number, clock: Clock): void {
    const { cohort } = track;
    const { grid } = cohort;
    track.state = 'ended';
    this.unregister(track);
    cohort.liveTracks--;
    grid.liveTracks -= cohort.count;
    if (cohort.liveTracks > 0) {
      this.openBlockBarrier(cohort, this.times.barrier, clock);
    } else this.endBlocks(cohort, now, clock);
    this.openGridBarrier(grid, this.times.barrier, clock);
  }

  private endBlocks(cohort: Cohort, now: number, clock: Clock): void {
    const { grid, group } = cohort;
    const { operation } = grid;
    operation.firstEnd = earlier(operation.firstEnd, now);
    operation.end = later(operation.end, now);
    group.vacate(grid.body);
    remove(group.residents, cohort);
    this.events.blocksEnded?.(cohort, clock);
    if (!cohort.triggered) {
      cohort.triggered = true;
      this.countTriggered(cohort, true, clock);
    }
    grid.remaining -= cohort.count;
    this.events.roomMade(grid, clock);
    if (grid.remaining === 0) this.events.ended(grid, clock);
  }

  private register(track: Track): void {
    const id = this.freeIds.pop() ?? this.tracks.length;
    if (id >= TRACK_IDS) throw new Error(`more than ${TRACK_IDS} tracks of blocks are live at once`);
    track.id = id;
    track.version = (this.versions[id] ?? -1) + 1;
    this.versions[id] = track.version;
    this.tracks[id] = track;
  }

  private unregister(track: Track): void {
    if (track.id < 0) return;
    this.tracks[track.id] = undefined;
    this.freeIds.push(track.id);
    track.id = -1;
  }
}

/** For each SM whether it is among some, both ascending. */
function membership(sms: Uint16Array, some: Uint16Array): Uint8Array {
  const member = new Uint8Array(sms.length);
  let next = 0;
  for (let i = 0; i < sms.length && next < some.length; i++) {
    if (sms[i] !== some[next]) continue;
    member[i] = 1;
    next++;
  }
  return member;
}

function complement(sms: Uint16Array, some: Uint16Array, member: Uint8Array): Uint16Array {
  const first = sms[0] === some[0] && sms[some.length - 1] === some[some.length - 1];
  return first ? sms.subarray(some.length) : sms.filter((_, i) => member[i] === 0);
}

function remove<T>(list: T[], item: T): void {
  const i = list.indexOf(item);
  if (i >= 0) list.splice(i, 1);
}

/** Names a step of a track among those of its grid. */
function cacheKey(track: Track): number {
  return track.index * 4096 + track.step;
}
