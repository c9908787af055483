import type { Track } from './residency.ts';
import type { Clock } from './unit-context.ts';

/** A flag that blocks of an operation wait for. */
export interface AwaitedFlag {
  readonly op: number;
  readonly flag: string;
  readonly value: number;
}

/** Flags in memory that kernels and hosts signal and await; a flag only grows. */
export class Flags {
  private readonly values = new Map<string, number>();
  private waiting: { flag: string; value: number; track: Track }[] = [];
  private readonly resume: (track: Track, clock: Clock) => void;
  private readonly announce: (flag: string, value: number) => void;
  private readonly raised: (flag: string, clock: Clock) => void;

  constructor(
    resume: (track: Track, clock: Clock) => void,
    announce: (flag: string, value: number) => void,
    raised: (flag: string, clock: Clock) => void,
  ) {
    this.resume = resume;
    this.announce = announce;
    this.raised = raised;
  }

  /** Whether a flag is at least a value. */
  holds(flag: string, value: number): boolean {
    return (this.values.get(flag) ?? 0) >= value;
  }

  /** A block or a stream of this device signals: seen here at once, elsewhere when the message arrives. */
  signal(flag: string, value: number, clock: Clock): void {
    if (this.holds(flag, value)) return;
    this.set(flag, value, clock);
    this.announce(flag, value);
  }

  /** A flag has reached a value: tracks that awaited it go on. */
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
    this.raised(flag, clock);
  }

  /** A track stands still until the flag holds the value. */
  await(flag: string, value: number, track: Track): void {
    this.waiting.push({ flag, value, track });
  }

  /** A part of a divided cohort's track awaits what the whole did. */
  replace(track: Track, twin: Track): void {
    for (const waiter of this.waiting) {
      if (waiter.track === track) this.waiting.push({ ...waiter, track: twin });
    }
  }

  /** Drops a track that was divided. */
  forget(track: Track): void {
    this.waiting = this.waiting.filter((w) => w.track !== track);
  }

  /** Flags that are still awaited, once per operation and flag with the least value, in order of both. */
  awaited(): AwaitedFlag[] {
    const awaited = new Map<string, AwaitedFlag>();
    for (const { flag, value, track } of this.waiting) {
      const { op } = track.cohort.grid.operation;
      const key = `${op} ${flag}`;
      awaited.set(key, { op, flag, value: Math.min(value, awaited.get(key)?.value ?? value) });
    }
    return [...awaited.values()].sort((a, b) => a.op - b.op || (a.flag < b.flag ? -1 : 1));
  }
}
