import type { Track } from './residency.ts';
import type { Clock } from './unit-context.ts';

/** Flags in memory that kernels and hosts signal and await; a flag only grows. */
export class Flags {
  private readonly values = new Map<string, number>();
  private waiting: { flag: string; value: number; track: Track }[] = [];
  private readonly resume: (track: Track, clock: Clock) => void;
  private readonly announce: (flag: string, value: number) => void;

  constructor(resume: (track: Track, clock: Clock) => void, announce: (flag: string, value: number) => void) {
    this.resume = resume;
    this.announce = announce;
  }

  holds(flag: string, value: number): boolean {
    return (this.values.get(flag) ?? 0) >= value;
  }

  /** A block of this device signals: seen here at once, elsewhere when the message arrives. */
  signal(flag: string, value: number, clock: Clock): void {
    if (this.holds(flag, value)) return;
    this.set(flag, value, clock);
    this.announce(flag, value);
  }

  set(flag: string, value: number, clock: Clock): void {
    if (this.holds(flag, value)) return;
    this.values.set(flag, value);
    const [woken, rest] = [[] as Track[], [] as typeof this.waiting];
    for (const waiter of this.waiting) {
      if (waiter.flag === flag && waiter.value <= value) woken.push(waiter.track);
      else rest.push(waiter);
    }
    this.waiting = rest;
    for (const track of woken) this.resume(track, clock);
  }

  await(flag: string, value: number, track: Track): void {
    this.waiting.push({ flag, value, track });
  }

  replace(track: Track, twin: Track): void {
    for (const waiter of this.waiting) {
      if (waiter.track === track) this.waiting.push({ ...waiter, track: twin });
    }
  }

  forget(track: Track): void {
    this.waiting = this.waiting.filter((w) => w.track !== track);
  }

  /** Flags that are still awaited, with the operations that wait. */
  awaited(): { flag: string; value: number; op: number }[] {
    return this.waiting.map(({ flag, value, track }) => ({ flag, value, op: track.cohort.grid.operation.op }));
  }
}
