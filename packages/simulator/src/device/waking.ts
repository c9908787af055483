/** How a waiter wakes beside others: dependents of a graph's node in their order, queues that wait for an event by turns. */
export type Wake =
  | { readonly by: 'order'; readonly spacing: number }
  /** `second`: what the second of two wakes later beyond the spacing, ps. */
  | { readonly by: 'queue'; readonly spacing: number; readonly second: number };

export interface Waiter {
  /** `atHead`: it stands at the head of its hardware queue, which looks for the event. */
  readonly operation: { readonly atHead: boolean };
  readonly condition: { readonly wake: Wake | undefined };
}

/** What one alone wakes later: nothing. */
const ALONE: readonly number[] = [0];

/**
 * How much later than the milestone each of its waiters wakes, ps. Dependents of a graph's node wake in order (case
 * families `fork-join-graph-*`, `graph-fanout-*`). Waits for an event are noticed queue by queue: by two in the order in
 * which they began to wait (case families `coresident-*`, `pdl-two-*`), by more in another order every time, so that
 * each is placed at the middle (case families `parallel-chains-*`, `three-streams-*`). A wait further back in its queue
 * is not looked at yet.
 */
export function wakeDelays(waiters: readonly Waiter[]): readonly number[] {
  if (waiters.length === 1) return ALONE;
  const polling = waiters.filter((w) => w.operation.atHead && w.condition.wake?.by === 'queue').length;
  let rank = 0;
  let dependents = 0;
  return waiters.map(({ operation: { atHead }, condition: { wake } }) => {
    if (wake === undefined) return 0;
    if (wake.by === 'order') return wake.spacing * dependents++;
    if (!atHead) return 0;
    if (polling !== 2) return Math.round((wake.spacing * (polling - 1)) / 2);
    return rank++ === 0 ? 0 : wake.spacing + wake.second;
  });
}
