import type { ProgramBuilder } from '../../builder.ts';
import type { Progress } from './progress.ts';

/** A device's events are recorded again when it has as many as this. */
const ENOUGH = 64;

/** A record of an event, and who waits for it. */
export class Recorded {
  readonly event: string;
  readonly device: number;
  /** Progress of the device's host thread once it has recorded. */
  readonly made: number;
  private left: number;
  private readonly over: (recorded: Recorded) => void;
  /** Devices whose streams wait for it, and the progress of their threads once they have said so. */
  readonly waiters: [rank: number, progress: number][] = [];

  /** `over` is called with the last of the waits. */
  constructor(event: string, device: number, made: number, waits: number, over: (recorded: Recorded) => void) {
    this.event = event;
    this.device = device;
    this.made = made;
    this.left = waits;
    this.over = over;
  }

  waited(rank: number, progress: number): void {
    if (this.left === 0) throw new Error(`more waits for event "${this.event}" than were announced`);
    this.waiters.push([rank, progress]);
    this.left -= 1;
    if (this.left === 0) this.over(this);
  }
}

/**
 * Events of one device without timing, recorded again and again. A wait is for the last record before it was called, so
 * an event is recorded again only when its waits have been called, and the thread knows that they have.
 */
export class EventPool {
  private readonly program: ProgramBuilder;
  private readonly device: number;
  private readonly progress: Progress;
  /** Whose waits have all been called, in this order; the first `head` are taken again. */
  private over: Recorded[] = [];
  private head = 0;
  private size = 0;

  constructor(program: ProgramBuilder, device: number, progress: Progress) {
    this.program = program;
    this.device = device;
    this.progress = progress;
  }

  take(waits: number): Recorded {
    const event = this.nextEvent();
    const free = (recorded: Recorded) => {
      this.over.push(recorded);
    };
    return new Recorded(event, this.device, this.progress.next(this.device), waits, free);
  }

  private nextEvent(): string {
    const oldest = this.over[this.head];
    if (oldest === undefined || this.size < ENOUGH) {
      return this.program.event(`done${this.device}_${this.size++}`, { device: this.device, timing: false }).name;
    }
    this.awaitWaiters();
    this.head += 1;
    if (2 * this.head > this.over.length) {
      this.over = this.over.slice(this.head);
      this.head = 0;
    }
    return oldest.event;
  }

  /** Awaits the waits for the oldest event, and with it for half of those that are over, so that it is seldom needed. */
  private awaitWaiters(): void {
    const known = ({ waiters }: Recorded) => waiters.every(([rank, n]) => this.progress.knows(this.device, rank, n));
    if (known(this.over[this.head] as Recorded)) return;
    const half = this.over.slice(this.head, this.head + Math.ceil((this.over.length - this.head) / 2));
    const latest = new Map<number, number>();
    for (const { waiters } of half) {
      for (const [rank, n] of waiters) latest.set(rank, Math.max(n, latest.get(rank) ?? 0));
    }
    for (const [rank, n] of latest) this.progress.await(this.device, rank, n);
  }
}
