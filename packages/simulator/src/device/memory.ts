import type { Access, DeviceTimes, MemoryStep } from './body.ts';
import type { Track } from './residency.ts';
import { type Clock, PRIORITY, TIMER } from './unit-context.ts';

/** Part of the bandwidth that loads get while they come up to the full rate, see `memoryStart`. */
const START_SHARE = 0.5;

/** Part of the bandwidth that is left to blocks however much others read and write. */
const LEAST_SHARE = 0.1;

/** A stream of bytes through device memory: the blocks of a cohort. */
interface Flow {
  /** The most one member can move, bytes per ps. */
  readonly limit: number;
  /** The same under the present load. */
  ceiling: number;
  /** Number of members that share alike. */
  readonly count: number;
  readonly track: Track;
  readonly access: Access;
  /** Part of its own rate that older blocks which compute on the same SM leave it. */
  scale: number;
  readonly bytes: number;
  remaining: number;
  rate: number;
  settled: number;
  finish: number;
  readonly since: number;
  readonly alone: number;
}

/**
 * Device memory: bandwidth shared max-min among blocks, each limited by what its threads can have in flight, and
 * copies within the device (case families `load-*`, `store-*`, `copy-d2d-*`).
 */
export class Memory {
  private readonly times: DeviceTimes;
  private flows: Flow[] = [];
  private readonly byTrack = new Map<Track, Flow>();
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
    const limit = step.rate / 1e12;
    const flow: Flow = {
      limit,
      ceiling: limit,
      scale: 1,
      count: track.cohort.count,
      track,
      access: step.access,
      bytes: step.bytes,
      remaining: step.bytes,
      rate: 0,
      settled: clock.now,
      finish: Number.POSITIVE_INFINITY,
      since: clock.now,
      alone: Math.ceil(step.bytes / Math.min(limit, this.times.memoryBandwidth / 1e12)),
    };
    this.flows.push(flow);
    this.byTrack.set(track, flow);
    this.request(clock);
  }

  /** Older blocks on its SM leave a track only part of its own rate. */
  throttle(track: Track, scale: number, clock: Clock): void {
    const flow = this.byTrack.get(track);
    if (flow === undefined || flow.scale === scale) return;
    flow.scale = scale;
    this.request(clock);
  }

  /** A fabric reads or writes this memory at another rate than before. */
  load(fabric: number, bytesPerSecond: number, clock: Clock): void {
    this.outside.set(fabric, bytesPerSecond);
    if (this.flows.length > 0) this.request(clock);
  }

  /** A part of a divided cohort goes on with the flow of the whole. */
  adopt(track: Track, part: Track): void {
    const flow = this.byTrack.get(track);
    if (flow === undefined) return;
    const own: Flow = { ...flow, track: part, count: part.cohort.count };
    this.flows.push(own);
    this.byTrack.set(part, own);
  }

  /** Drops the flow of a track that was divided. */
  forget(track: Track): void {
    const flow = this.byTrack.get(track);
    if (flow === undefined) return;
    this.byTrack.delete(track);
    this.flows.splice(this.flows.indexOf(flow), 1);
  }

  /** Shares the bandwidth anew after all that changed in this instant. */
  recompute(clock: Clock): void {
    this.requested = -1;
    const { now } = clock;
    const rates = this.share(clock);
    let next = Number.POSITIVE_INFINITY;
    for (const flow of this.flows) {
      const rate = flow.access === 'l2' ? flow.ceiling : (rates.get(flow.ceiling) as number);
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
    const first = this.flows.find(({ finish }) => finish === next) as Flow;
    clock.about(first.track.cohort.grid.operation.op);
    clock.timer(next, PRIORITY.step, TIMER.memoryEnd, this.version);
  }

  /**
   * Rates by the members' own limit. The more is in demand, the longer a block waits for each line; and after a pause
   * the loads of many blocks get a part of the bandwidth at first.
   */
  private share(clock: Clock): Map<number, number> {
    const { memoryBandwidth, memoryContention, memoryStart } = this.times;
    let left = memoryBandwidth;
    for (const rate of this.outside.values()) left -= rate;
    const full = Math.max(left, memoryBandwidth * LEAST_SHARE) / 1e12;
    const shared = this.flows.filter((f) => f.access !== 'l2');
    const demand = totalDemand(shared);
    const efficiency = (1 + (demand / full) ** memoryContention) ** (-1 / memoryContention);
    this.noteSaturation(demand > full && shared.some((f) => this.startsSlowly(f)), memoryStart, clock);
    for (const flow of this.flows) flow.ceiling = flow.limit * flow.scale * (flow.access === 'copy' ? 1 : efficiency);
    return shareByCeiling(shared, clock.now < this.rampUntil ? full * START_SHARE : full);
  }

  /** Loads, and stores of more than L2 can take. */
  private startsSlowly({ access, bytes, track }: Flow): boolean {
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
    for (const { track, since, alone, count } of done) {
      track.cohort.grid.operation.addShared('deviceMemory', (clock.now - since) * count, alone * count);
      this.byTrack.delete(track);
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

/** Sums over whole numbers of members, so that grouping changes no bit. */
function countBy(flows: readonly Flow[], key: (flow: Flow) => number): [value: number, members: number][] {
  const members = new Map<number, number>();
  for (const flow of flows) members.set(key(flow), (members.get(key(flow)) ?? 0) + flow.count);
  return [...members].sort((a, b) => a[0] - b[0]);
}

function totalDemand(flows: readonly Flow[]): number {
  return countBy(flows, (f) => f.limit * f.scale).reduce((sum, [limit, n]) => sum + limit * n, 0);
}

/** Max-min rates by the members' ceilings. */
function shareByCeiling(flows: readonly Flow[], capacity: number): Map<number, number> {
  const byCeiling = countBy(flows, (f) => f.ceiling);
  let left = capacity;
  let count = byCeiling.reduce((sum, [, n]) => sum + n, 0);
  const rates = new Map<number, number>();
  for (const [ceiling, n] of byCeiling) {
    const rate = Math.min(ceiling, left / count);
    rates.set(ceiling, rate);
    left -= rate * n;
    count -= n;
  }
  return rates;
}
