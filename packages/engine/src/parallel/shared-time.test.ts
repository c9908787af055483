import fc from 'fast-check';
import { expect, it } from 'vitest';
import { loadTime, storeTime, TIME_WORDS } from './shared-time.ts';

it('keeps every time', () => {
  const words = new Int32Array(new SharedArrayBuffer(2 * TIME_WORDS * 4));
  const time = fc.oneof(
    fc.maxSafeNat(),
    fc.constant(Number.POSITIVE_INFINITY),
    fc.constant(2 ** 53 - 1),
    fc.constant(0),
  );
  fc.assert(
    fc.property(time, time, (a, b) => {
      storeTime(words, 0, a);
      storeTime(words, TIME_WORDS, b);
      expect([loadTime(words, 0), loadTime(words, TIME_WORDS)]).toEqual([a, b]);
    }),
  );
});
