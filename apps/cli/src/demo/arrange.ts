import { type Cause, INSTANTS, type Operation, type Timeline } from '@griddep/timeline';

/** The same timeline `by` ps later (or earlier, where it is negative), so that runs can be laid side by side. */
export function shifted(timeline: Timeline, by: number): Timeline {
  const operations = timeline.operations.map((operation) => ({
    ...operation,
    ...Object.fromEntries(INSTANTS.map((instant) => [instant, operation[instant] + by])),
    waits: operation.waits.map((wait) => ({ ...wait, from: wait.from + by, until: wait.until + by })),
  }));
  return { ...timeline, operations, hostTotal: timeline.hostTotal + by };
}

/** A timeline of some of its operations; causes outside of them keep their kind only. */
export function only(timeline: Timeline, kept: readonly Operation[]): Timeline {
  const position = new Map(kept.map((operation, i) => [timeline.operations.indexOf(operation), i]));
  const within = <T extends Cause>({ operation, ...cause }: T) => {
    const at = operation === undefined ? undefined : position.get(operation);
    return (at === undefined ? cause : { ...cause, operation: at }) as T;
  };
  const operations = kept.map((operation) => ({
    ...operation,
    cause: within(operation.cause),
    waits: operation.waits.map(within),
  }));
  return { ...timeline, operations };
}
