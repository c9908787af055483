/** How a waiter wakes beside others. */
export interface Wake {
  /** In their order, or by the hardware queues at whose heads they stand. */
  readonly by: 'order' | 'queue';
  /** From one to the next, ps. */
  readonly spacing: number;
  /** What the second and all after it wake later beyond that, ps. */
  readonly second: number;
}

export interface Waiter {
  readonly queue: number;
  readonly wake: Wake | undefined;
}

/** So many queues are seen to wake in the order in which they began to wait. */
const IN_ORDER = 2;

/**
 * How much later than the milestone each of its waiters wakes, ps. Dependents of a graph's node wake in order (case
 * families `fork-join-graph-*`, `graph-fanout-*`). Waits for an event are noticed queue by queue; two in order
 * (case families `fork-join-*`, `coresident-*`, `pdl-two-*`), more in another order every time, so that each is placed
 * at the middle. A wait that stands behind another of its queue is not looked at before that is gone (case families
 * `concurrent-limit-*`).
 */
export function wakeDelays(waiters: readonly Waiter[]): number[] {
  const polling = new Set(waiters.filter((w) => w.wake?.by === 'queue').map((w) => w.queue));
  const seen = new Set<number>();
  let dependents = 0;
  return waiters.map(({ queue, wake }) => {
    if (wake === undefined) return 0;
    const { spacing, second } = wake;
    if (wake.by === 'order') return spacing * dependents++;
    if (seen.has(queue)) return 0;
    seen.add(queue);
    const rank = seen.size - 1;
    if (polling.size <= IN_ORDER) return rank === 0 ? 0 : rank * spacing + second;
    return Math.round((spacing * (polling.size - 1)) / 2);
  });
}
