import type { DeviceTimes, MemoryStep } from './body.ts';
import { MemberCounts } from './member-counts.ts';
import type { Track } from './residency.ts';
import { type Clock, PRIORITY, TIMER } from './unit-context.ts';

/** Part of the bandwidth that loads get while they come up to the full rate, see `memoryStart`. */
const START_SHARE = 0.5;

/** Part of the bandwidth that is left to blocks however much others read and write. */
const LEAST_SHARE = 0.1;

/**
 * Device memory: bandwidth shared max-min among blocks, each limited by what its threads can have in flight, and
 * copies within the device (case families `load-*`, `store-*`, `copy-d2d-*`).
 */
export class Memory {
  private readonly times: DeviceTimes;
  /** Tracks whose blocks stream, each at a rate of its own; those of one share alike. */
  private flows: Track[] = [];
  private readonly demands = new MemberCounts();
  private readonly ceilings = new MemberCounts();
  private requested = -1;
  private version = 0;
  private saturated = false;
  private unsaturatedSince = Number.NEGATIVE_INFINITY;
  private rampUntil = 0;
  /** What copies between devices take of the bandwidth, bytes per second, by the fabric that tells. */
  private readonly outside = new Map<number, number>();
  private readonly finished: (track: Track, clock: Clock) => void;

  constructor(times: DeviceTimes, finished: (track: Track, clock: Clock) => void) {
    this.times = times;
    this.finished = finished;
  }

  /** A track begins to stream; its blocks share alike. */
  begin(track: Track, step: MemoryStep, clock: Clock): void {
    track.state = 'memory';
    track.limit = step.rate / 1e12;
    track.ceiling = track.limit;
    track.scale = 1;
    track.remaining = step.bytes;
    track.rate = 0;
    track.settled = clock.now;
    track.finish = Number.POSITIVE_INFINITY;
    track.sharedSince = clock.now;
    track.sharedAlone = Math.ceil(step.bytes / Math.min(track.limit, this.times.memoryBandwidth / 1e12));
    this.flows.push(track);
    this.request(clock);
  }

  /** Older blocks on its SM leave a track only part of its own rate. */
  throttle(track: Track, scale: number, clock: Clock): void {
    if (track.scale === scale) return;
    track.scale = scale;
    this.request(clock);
  }

  /** A fabric reads or writes this memory at another rate than before. */
  load(fabric: number, bytesPerSecond: number, clock: Clock): void {
    this.outside.set(fabric, bytesPerSecond);
    if (this.flows.length > 0) this.request(clock);
  }

  /** A part of a divided cohort goes on where the whole was. */
  adopt(part: Track): void {
    this.flows.push(part);
  }

  /** Drops a track that was divided. */
  forget(track: Track): void {
    this.flows.splice(this.flows.indexOf(track), 1);
  }

  /** Shares the bandwidth anew after all that changed in this instant. */
  recompute(clock: Clock): void {
    this.requested = -1;
    const { now } = clock;
    this.share(clock);
    let next = Number.POSITIVE_INFINITY;
    for (const flow of this.flows) {
      const rate = stepOf(flow).access === 'l2' ? flow.ceiling : this.ceilings.rateOf(flow.ceiling);
      if (rate !== flow.rate) {
        flow.remaining = Math.max(0, flow.remaining - flow.rate * (now - flow.settled));
        flow.settled = now;
        flow.rate = rate;
        flow.finish = now + Math.ceil(flow.remaining / rate);
      }
      next = Math.min(next, flow.finish);
    }
    this.version++;
    if (next === Number.POSITIVE_INFINITY) return;
    const first = this.flows.find(({ finish }) => finish === next) as Track;
    clock.about(first.cohort.grid.operation.op);
    clock.timer(next, PRIORITY.step, TIMER.memoryEnd, this.version);
  }

  /**
   * Rates by the members' own limit. The more is in demand, the longer a block waits for each line; and after a pause
   * the loads of many blocks get a part of the bandwidth at first.
   */
  private share(clock: Clock): void {
    const { memoryBandwidth, memoryContention, memoryStart } = this.times;
    const { demands, ceilings } = this;
    let left = memoryBandwidth;
    for (const rate of this.outside.values()) left -= rate;
    const full = Math.max(left, memoryBandwidth * LEAST_SHARE) / 1e12;
    let slow = false;
    demands.clear();
    for (const flow of this.flows) {
      if (stepOf(flow).access === 'l2') continue;
      demands.add(flow.limit * flow.scale, flow.cohort.count);
      slow ||= this.startsSlowly(flow);
    }
    const demand = demands.sum();
    const efficiency = (1 + (demand / full) ** memoryContention) ** (-1 / memoryContention);
    this.noteSaturation(demand > full && slow, memoryStart, clock);
    ceilings.clear();
    for (const flow of this.flows) {
      const { access } = stepOf(flow);
      flow.ceiling = flow.limit * flow.scale * (access === 'copy' ? 1 : efficiency);
      if (access !== 'l2') ceilings.add(flow.ceiling, flow.cohort.count);
    }
    ceilings.share(clock.now < this.rampUntil ? full * START_SHARE : full);
  }

  /** Loads, and stores of more than L2 can take. */
  private startsSlowly(track: Track): boolean {
    const { access, bytes } = stepOf(track);
    if (access === 'copy') return false;
    return access === 'load' || bytes * track.cohort.grid.body.blocks > this.times.l2Usable;
  }

  private noteSaturation(saturated: boolean, start: number, clock: Clock): void {
    if (saturated && !this.saturated && clock.now - this.unsaturatedSince >= start) {
      this.rampUntil = clock.now + Math.round(start / (1 - START_SHARE));
      clock.timer(this.rampUntil, PRIORITY.memory, TIMER.memory, 0);
    }
    if (!saturated && this.saturated) this.unsaturatedSince = clock.now;
    this.saturated = saturated;
  }

  /** The timer of the next end; `version` says which sharing it was set by. */
  end(version: number, clock: Clock): void {
    if (version !== this.version) return;
    const done = this.flows.filter((f) => f.finish <= clock.now);
    this.flows = this.flows.filter((f) => f.finish > clock.now);
    for (const track of done) {
      const { count, grid } = track.cohort;
      grid.operation.addShared('deviceMemory', (clock.now - track.sharedSince) * count, track.sharedAlone * count);
      track.state = 'timed';
      this.finished(track, clock);
    }
    this.request(clock);
  }

  private request(clock: Clock): void {
    if (this.requested === clock.now) return;
    this.requested = clock.now;
    clock.timer(clock.now, PRIORITY.memory, TIMER.memory, 0);
  }
}

/** What a track that streams is at. */
function stepOf(track: Track): MemoryStep {
  return track.steps[track.step] as MemoryStep;
}
