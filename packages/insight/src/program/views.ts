import type { Need } from './nodes.ts';

/**
 * A stream as one host thread knows it: what its next work comes after. Threads learn of each other's calls only where
 * they synchronise.
 */
export interface StreamView {
  /** Counts the calls into any stream; a view is known to follow its parents. */
  readonly version: number;
  readonly parent: StreamView | undefined;
  /** All of the stream's work is complete. */
  readonly ends: readonly Need[];
  /** The kernel that a programmatic launch would come directly after (rule 1.15); unknown where threads share the stream. */
  readonly direct: number | 'unknown' | undefined;
  /** Whether an event with timing was recorded since: an H200 then launches no earlier (section 11). */
  readonly isTimed: boolean;
  /** What the next work comes after in any case: what an event between had to wait for (rule 5.1). */
  readonly gate: readonly Need[];
  /** Prerequisites of the next kernel that its wait covers: programmatic events (rule 3.2). */
  readonly pending: readonly Need[];
}

/** The newest record of an event that a thread knows. */
export interface RecordView {
  readonly thread: number;
  /** Index of the recording call among the thread's. */
  readonly call: number;
  readonly stream: number;
  readonly needs: readonly Need[];
  readonly pending: readonly Need[];
  /** What the recording thread knew of the others' calls. */
  readonly heard: readonly number[];
}

/** All that a host thread knows when it signals another. */
export interface Snapshot {
  readonly host: readonly Need[];
  readonly streams: ReadonlyMap<number, StreamView>;
  readonly records: ReadonlyMap<string, RecordView>;
  /** By thread, how many of its calls are known to have been made. */
  readonly heard: readonly number[];
}

export const UNUSED: StreamView = {
  ...{ version: 0, parent: undefined, ends: [], direct: undefined, isTimed: false, gate: [], pending: [] },
};

/** Whether a view is what another came from. */
export function follows(later: StreamView, earlier: StreamView): boolean {
  let view: StreamView | undefined = later;
  while (view !== undefined && view.version > earlier.version) view = view.parent;
  return view === earlier || earlier.version === 0;
}

/** Whether the second record was made by somebody who knew of the first. */
export function supersedes(later: RecordView, earlier: RecordView): boolean {
  return (later.heard[earlier.thread] ?? 0) > earlier.call;
}
