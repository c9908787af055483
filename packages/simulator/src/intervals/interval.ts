import type { Operation } from '@griddep/timeline';

/** What became of an operation or a call, as it is known once that is over. */
export interface Interval {
  /**
   * Number of the operation in its run, which has nothing to do with its place in the timeline. The timeline's operations
   * are in order of `callBegin`, and of these numbers where that is the same.
   */
  readonly op: number;
  /**
   * What the timeline will say of it, to the last field (instants in ps), but for what is settled at the end: `id` is the
   * label that the author gave it or else empty, and its cause and waits name no operations.
   */
  readonly operation: Operation;
}
