/** Something to know about a run, found by whoever looked: a hazard, advice, an error. */
export interface Finding {
  /** `hazard`, `advice`, `error` or any other word; shown as it is. */
  readonly kind: string;
  readonly text: string;
  /** Indices in the timeline's operations; the first is where a click leads. */
  readonly operations: readonly number[];
}
