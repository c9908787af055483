import type { CauseKind } from '@griddep/timeline';

/**
 * Something that can hold an operation up: a kind of cause; of `resources` also a single one of them. `host` is what the
 * calls of its thread cost until then, `synchronize` that the call waits.
 */
export type Constraint = CauseKind | 'registers' | 'sharedMemory' | 'threads' | 'blocks' | 'cluster' | 'cooperative';

/** A constraint that does not hold for one operation. */
export interface Lift {
  /** Name of the host thread that made the call. */
  readonly thread: string;
  /** Its place among the operations of that thread in the timeline, from 0. */
  readonly ordinal: number;
  readonly constraint: Constraint;
}

const NOTHING: ReadonlySet<Constraint> = new Set();

/**
 * The constraints that are lifted. Calls get their numbers as they are made, so the host notes them here before a
 * device hears of the operation; actors of one thread share this.
 */
export class Lifts {
  private readonly byThread = new Map<string, Map<number, Set<Constraint>>>();
  private readonly byOperation = new Map<number, ReadonlySet<Constraint>>();
  private readonly made = new Map<string, number>();

  constructor(lifts: readonly Lift[]) {
    for (const { thread, ordinal, constraint } of lifts) {
      const ofThread = this.byThread.get(thread) ?? new Map<number, Set<Constraint>>();
      this.byThread.set(thread, ofThread);
      const constraints = ofThread.get(ordinal) ?? new Set();
      ofThread.set(ordinal, constraints.add(constraint));
    }
  }

  /** An operation has been recorded for a call of a thread. */
  note(thread: string, op: number): void {
    const ofThread = this.byThread.get(thread);
    if (ofThread === undefined) return;
    const ordinal = this.made.get(thread) ?? 0;
    this.made.set(thread, ordinal + 1);
    const constraints = ofThread.get(ordinal);
    if (constraints !== undefined) this.byOperation.set(op, constraints);
  }

  /** What is lifted for an operation. */
  of(op: number): ReadonlySet<Constraint> {
    return this.byOperation.get(op) ?? NOTHING;
  }

  /** What is lifted for the operation that a thread's next call makes. */
  ofNext(thread: string): ReadonlySet<Constraint> {
    return this.byThread.get(thread)?.get(this.made.get(thread) ?? 0) ?? NOTHING;
  }

  /** Calls of a thread cost it nothing up to one whose start is asked for. */
  isFree(thread: string): boolean {
    const ofThread = this.byThread.get(thread);
    if (ofThread === undefined) return false;
    const made = this.made.get(thread) ?? 0;
    for (const [ordinal, constraints] of ofThread) if (ordinal >= made && constraints.has('host')) return true;
    return false;
  }
}
