import type { DeviceTimes } from './body.ts';
import { MemberCounts } from './member-counts.ts';
import { memoryStep, type Track } from './residency.ts';

/**
 * How tracks divide the bandwidth of memory, max-min. All of them are entered twice: to find how much is in demand,
 * for the more it is, the longer a block waits for each line, and then what each can have at the most.
 */
export class Bandwidth {
  private readonly times: DeviceTimes;
  private readonly demands = new MemberCounts();
  private readonly ceilings = new MemberCounts();
  private efficiency = 1;

  constructor(times: DeviceTimes) {
    this.times = times;
  }

  /** Begins anew. */
  clear(): void {
    this.demands.clear();
    this.ceilings.clear();
  }

  /** The blocks of a track want a part of their own rate. */
  want(track: Track, scale: number): void {
    if (memoryStep(track).access !== 'l2') this.demands.add(track.limit * scale, track.cohort.count);
  }

  /** All have said what they want; returns whether that is more than there is, bytes per ps. */
  contend(full: number): boolean {
    const demand = this.demands.sum();
    const { memoryContention } = this.times;
    this.efficiency = (1 + (demand / full) ** memoryContention) ** (-1 / memoryContention);
    return demand > full;
  }

  /** They take part in the division. */
  enter(track: Track, scale: number): void {
    if (memoryStep(track).access !== 'l2') this.ceilings.add(this.ceiling(track, scale), track.cohort.count);
  }

  /** Divides so many bytes per ps. */
  divide(capacity: number): void {
    this.ceilings.share(capacity);
  }

  /** What a block of a track has got, bytes per ps. */
  rateOf(track: Track, scale: number): number {
    const ceiling = this.ceiling(track, scale);
    return memoryStep(track).access === 'l2' ? ceiling : this.ceilings.rateOf(ceiling);
  }

  private ceiling(track: Track, scale: number): number {
    return track.limit * scale * (memoryStep(track).access === 'copy' ? 1 : this.efficiency);
  }
}
