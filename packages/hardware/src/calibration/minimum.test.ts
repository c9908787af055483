import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minimum, rangeBelow } from './minimum.ts';

describe('minimum', () => {
  it('finds the dip of |x - a|', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 100, noNaN: true }),
        fc.double({ min: 0, max: 100, noNaN: true }),
        (a, start) => {
          expect(Math.abs(minimum((x) => Math.abs(x - a), 0, 100, start, 0.01).at - a)).toBeLessThan(0.02);
        },
      ),
    );
  });

  it('keeps the start where nothing is better', () => {
    expect(minimum(() => 1, 0, 10, 3.3, 0.1).at).toBe(3.3);
  });

  it('looks at both dips', () => {
    const f = (x: number) => Math.min(Math.abs(x - 1) + 0.7, Math.abs(x - 8));
    expect(minimum(f, 0, 10, 1, 0.001).at).toBeCloseTo(8, 2);
  });

  it('says how far the function stays low', () => {
    const found = minimum((x) => Math.abs(x - 5), 0, 10, 5, 0.01);
    const [low, high] = rangeBelow(found, 1);
    expect(low).toBeCloseTo(4, 1);
    expect(high).toBeCloseTo(6, 1);
  });
});
