import type { DeviceTimes } from './body.ts';
import type { DeviceOperation } from './operation.ts';
import type { Track } from './residency.ts';
import { type Clock, PRIORITY, TIMER } from './unit-context.ts';

/** A stream of bytes through device memory: the blocks of a cohort, or a copy within the device. */
interface Flow {
  /** The most one member can move, bytes per ps. */
  readonly limit: number;
  /** Number of members that share alike. */
  readonly count: number;
  readonly track: Track | undefined;
  readonly operation: DeviceOperation | undefined;
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
  private readonly finished: (track: Track, clock: Clock) => void;
  private readonly operationFinished: (operation: DeviceOperation, clock: Clock) => void;

  constructor(times: DeviceTimes, finished: (track: Track, clock: Clock) => void, operationFinished: (operation: DeviceOperation, clock: Clock) => void) {
    this.times = times;
    this.finished = finished;
    this.operationFinished = operationFinished;
  }

  begin(track: Track, bytes: number, clock: Clock): void {
    const threads = Math.min(track.warps * 32, track.cohort.grid.body.threads);
    const limit = (threads * this.times.threadBandwidth) / 1e12;
    track.state = 'memory';
    const flow = this.add(limit, track.cohort.count, bytes, clock, track, undefined);
    this.byTrack.set(track, flow);
  }

  /** A copy or memset on the device's own engines of memory traffic, at most `rate` bytes per second. */
  beginOperation(operation: DeviceOperation, bytes: number, rate: number, clock: Clock): void {
    this.add(rate / 1e12, 1, bytes, clock, undefined, operation);
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

  recompute(clock: Clock): void {
    this.requested = -1;
    const { now } = clock;
    const rates = shareByLimit(this.flows, this.times.memoryBandwidth / 1e12);
    let next = Number.POSITIVE_INFINITY;
    for (const flow of this.flows) {
      const rate = rates.get(flow.limit) as number;
      if (rate !== flow.rate) {
        flow.remaining = Math.max(0, flow.remaining - flow.rate * (now - flow.settled));
        flow.settled = now;
        flow.rate = rate;
        flow.finish = now + Math.ceil(flow.remaining / rate);
      }
      next = Math.min(next, flow.finish);
    }
    this.version++;
    if (next < Number.POSITIVE_INFINITY) clock.timer(next, PRIORITY.step, TIMER.memoryEnd, this.version);
  }

  end(version: number, clock: Clock): void {
    if (version !== this.version) return;
    const done = this.flows.filter((f) => f.finish <= clock.now);
    this.flows = this.flows.filter((f) => f.finish > clock.now);
    for (const { track, operation, since, alone, count } of done) {
      const owner = operation ?? track?.cohort.grid.operation;
      owner?.addShared('deviceMemory', (clock.now - since) * count, alone * count);
      if (track !== undefined) {
        this.byTrack.delete(track);
        track.state = 'timed';
        this.finished(track, clock);
      } else if (operation !== undefined) this.operationFinished(operation, clock);
    }
    this.request(clock);
  }

  private add(limit: number, count: number, bytes: number, clock: Clock, track: Track | undefined, operation: DeviceOperation | undefined): Flow {
    const { now } = clock;
    const alone = Math.ceil(bytes / Math.min(limit, this.times.memoryBandwidth / 1e12));
    const flow: Flow = { limit, count, track, operation, remaining: bytes, rate: 0, settled: now, finish: Number.POSITIVE_INFINITY, since: now, alone };
    this.flows.push(flow);
    this.request(clock);
    return flow;
  }

  private request(clock: Clock): void {
    if (this.requested === clock.now) return;
    this.requested = clock.now;
    clock.timer(clock.now, PRIORITY.rates, TIMER.memory, 0);
  }
}

/** Max-min rates by the members' own limit; sums run over whole numbers of members, so grouping changes no bit. */
function shareByLimit(flows: readonly Flow[], capacity: number): Map<number, number> {
  const members = new Map<number, number>();
  for (const flow of flows) members.set(flow.limit, (members.get(flow.limit) ?? 0) + flow.count);
  const limits = [...members.keys()].sort((a, b) => a - b);
  let left = capacity;
  let count = [...members.values()].reduce((a, b) => a + b, 0);
  const rates = new Map<number, number>();
  for (const limit of limits) {
    const n = members.get(limit) as number;
    const rate = Math.min(limit, left / count);
    rates.set(limit, rate);
    left -= rate * n;
    count -= n;
  }
  return rates;
}
