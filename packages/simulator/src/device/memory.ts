import { Bandwidth } from './bandwidth.ts';
import { BandwidthApart, type Ramp } from './bandwidth-apart.ts';
import type { DeviceTimes, MemoryStep } from './body.ts';
import { memoryStep, type Track } from './residency.ts';
import { beginShared, endShared, setRates } from './shared-phase.ts';
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
  /** Tracks whose blocks stream; the blocks of one share alike. */
  private flows: Track[] = [];
  private readonly bandwidth: Bandwidth;
  private readonly apart: BandwidthApart;
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
    this.bandwidth = new Bandwidth(times);
    this.apart = new BandwidthApart(times, START_SHARE);
  }

  /** A track begins to stream; its blocks share alike. */
  begin(track: Track, step: MemoryStep, clock: Clock): void {
    track.state = 'memory';
    track.limit = step.rate / 1e12;
    track.scale = 1;
    track.ownScale = 1;
    beginShared(track, step.bytes, clock.now);
    this.flows.push(track);
    this.request(clock);
  }

  /** Older blocks on its SM leave a track only part of its own rate; those of its own grid would leave it `ownScale`. */
  throttle(track: Track, scale: number, ownScale: number, clock: Clock): void {
    if (track.scale === scale && track.ownScale === ownScale) return;
    track.scale = scale;
    track.ownScale = ownScale;
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
    const ramp = this.share(clock);
    this.apart.share(this.flows, this.outsideLoad() > 0, ramp);
    let next = Number.POSITIVE_INFINITY;
    for (const flow of this.flows) {
      const rate = this.bandwidth.rateOf(flow, flow.scale);
      setRates(flow, rate, this.apart.rateOf(flow, rate), now);
      next = Math.min(next, flow.finish);
    }
    this.version++;
    if (next === Number.POSITIVE_INFINITY) return;
    const first = this.flows.find(({ finish }) => finish === next) as Track;
    clock.about(first.cohort.grid.operation.op);
    clock.timer(next, PRIORITY.step, TIMER.memoryEnd, this.version);
  }

  /** After a pause the loads of many blocks get a part of the bandwidth at first. */
  private share(clock: Clock): Ramp {
    const { memoryBandwidth, memoryStart } = this.times;
    const { bandwidth, flows } = this;
    const full = Math.max(memoryBandwidth - this.outsideLoad(), memoryBandwidth * LEAST_SHARE) / 1e12;
    bandwidth.clear();
    for (const flow of flows) bandwidth.want(flow, flow.scale);
    const saturated = bandwidth.contend(full) && flows.some((f) => this.startsSlowly(f));
    const begins = this.noteSaturation(saturated, memoryStart, clock);
    const ramps = clock.now < this.rampUntil;
    for (const flow of flows) bandwidth.enter(flow, flow.scale);
    bandwidth.divide(ramps ? full * START_SHARE : full);
    return begins ? 'begins' : ramps ? 'lasts' : 'none';
  }

  /** Bytes per second. */
  private outsideLoad(): number {
    let load = 0;
    for (const rate of this.outside.values()) load += rate;
    return load;
  }

  /** Loads, and stores of more than L2 can take. */
  private startsSlowly(track: Track): boolean {
    const { access, bytes } = memoryStep(track);
    if (access === 'copy' || access === 'l2') return false;
    return access === 'load' || bytes * track.cohort.grid.body.blocks > this.times.l2Usable;
  }

  /** Returns whether loads come up to the full rate from now on. */
  private noteSaturation(saturated: boolean, start: number, clock: Clock): boolean {
    const begins = saturated && !this.saturated && clock.now - this.unsaturatedSince >= start;
    if (begins) {
      this.rampUntil = clock.now + Math.round(start / (1 - START_SHARE));
      clock.timer(this.rampUntil, PRIORITY.memory, TIMER.memory, 0);
    }
    if (!saturated && this.saturated) this.unsaturatedSince = clock.now;
    this.saturated = saturated;
    return begins;
  }

  /** The timer of the next end; `version` says which sharing it was set by. */
  end(version: number, clock: Clock): void {
    if (version !== this.version) return;
    const done = this.flows.filter((f) => f.finish <= clock.now);
    this.flows = this.flows.filter((f) => f.finish > clock.now);
    for (const track of done) {
      endShared(track, 'deviceMemory', clock.now);
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
