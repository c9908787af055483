import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Waiter, type Wake, wakeDelays } from './waking.ts';

const BY_QUEUE: Wake = { by: 'queue', spacing: 1250, second: 600 };
const IN_ORDER: Wake = { by: 'order', spacing: 250 };
const waits = (...polls: boolean[]): Waiter[] =>
  polls.map((atHead) => ({ operation: { atHead }, condition: { wake: BY_QUEUE } }));

describe('wakeDelays', () => {
  it('wakes two queues in order, the second later', () => {
    expect(wakeDelays(waits(true, true))).toEqual([0, 1850]);
  });

  it('places each of several queues at the middle, their order being random', () => {
    expect(wakeDelays(waits(true, true, true, true))).toEqual([1875, 1875, 1875, 1875]);
  });

  it('does not count waits behind another of their queue', () => {
    expect(wakeDelays(waits(true, false, true, false))).toEqual([0, 0, 1850, 0]);
  });

  it('wakes the dependents of a node in order', () => {
    const dependents = [1, 2, 3].map(() => ({ operation: { atHead: false }, condition: { wake: IN_ORDER } }));
    expect(wakeDelays(dependents)).toEqual([0, 250, 500]);
  });

  it('never delays by more than the spread over the queues', () => {
    const waiter = fc.record({
      operation: fc.record({ atHead: fc.boolean() }),
      condition: fc.record({ wake: fc.constantFrom(undefined, BY_QUEUE) }),
    });
    fc.assert(
      fc.property(fc.array(waiter, { maxLength: 8 }), (waiters) => {
        const delays = wakeDelays(waiters);
        expect(delays).toHaveLength(waiters.length);
        for (const [i, delay] of delays.entries()) {
          expect(delay).toBeGreaterThanOrEqual(0);
          expect(delay).toBeLessThanOrEqual(
            waiters[i]?.operation.atHead === true && waiters[i]?.condition.wake !== undefined ? 4375 : 0,
          );
        }
      }),
    );
  });
});
