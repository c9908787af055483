import type { InterimResult } from '@griddep/engine';
import type { MachineActors } from '../machine-actors.ts';
import type { Interval } from './interval.ts';
import { IntervalJoin } from './interval-join.ts';

/** Hears intervals, in batches; what it returns settles when it can take more. */
export type IntervalListener = (intervals: readonly Interval[]) => void | Promise<void>;

/** Hands intervals to a listener. What comes while the listener is busy with a batch is one batch after it. */
export class IntervalFeed {
  private readonly join: IntervalJoin;
  private readonly listener: IntervalListener;
  private readonly awaits: boolean;
  private waiting: Interval[] = [];
  private busy: Promise<void> | undefined;
  private failure: { readonly error: unknown } | undefined;

  /** @param awaits whether the listener is busy until a promise that it returned has settled */
  constructor(actors: MachineActors, listener: IntervalListener, awaits: boolean) {
    this.join = new IntervalJoin(actors);
    this.listener = listener;
    this.awaits = awaits;
  }

  /** Takes what actors gave (`RunOptions.onInterim`). @throws what the listener has thrown */
  add(results: readonly InterimResult[]): void {
    this.check();
    append(this.waiting, this.join.add(results));
    this.offer();
  }

  /** The run is over: hands out all that is left, and waits until the listener has it. @throws what the listener throws */
  async end(): Promise<void> {
    append(this.waiting, this.join.rest());
    while (this.busy !== undefined || this.waiting.length > 0) {
      this.offer();
      await this.busy;
      this.check();
    }
  }

  /** The same for a listener that is never busy. */
  endAtOnce(): void {
    append(this.waiting, this.join.rest());
    this.offer();
  }

  private offer(): void {
    if (this.busy !== undefined || this.waiting.length === 0) return;
    const batch = this.waiting;
    this.waiting = [];
    const taken = this.listener(batch);
    if (!this.awaits || !(taken instanceof Promise)) return;
    this.busy = taken
      .catch((error: unknown) => {
        this.failure = { error };
      })
      .then(() => {
        this.busy = undefined;
        if (this.failure === undefined) this.offer();
      });
  }

  private check(): void {
    if (this.failure !== undefined) throw this.failure.error;
  }
}

/** Spreading a long list into the arguments of `push` would overflow the stack. */
function append<T>(list: T[], more: readonly T[]): void {
  for (const each of more) list.push(each);
}
