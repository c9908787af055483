import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemberCounts } from './member-counts.ts';

const members = fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 50 })), { maxLength: 30 });

function counted(all: readonly (readonly [number, number])[]): MemberCounts {
  const counts = new MemberCounts();
  for (const [value, count] of all) counts.add(value, count);
  return counts;
}

describe('MemberCounts', () => {
  it('sums and divides alike, however members are grouped and in whatever order they come', () => {
    fc.assert(
      fc.property(members, fc.double({ min: 0.1, max: 1e4, noNaN: true }), (all, capacity) => {
        const grouped = counted(all);
        const single = counted(
          all.flatMap(([value, count]) => Array.from({ length: count }, () => [value, 1] as const)).reverse(),
        );
        expect(single.sum()).toBe(grouped.sum());
        grouped.share(capacity);
        single.share(capacity);
        for (const [value] of all) expect(single.rateOf(value)).toBe(grouped.rateOf(value));
      }),
    );
  });

  it('is max-min: nobody has more than its most, all of the capacity is used that can be, and who has less than it wants has as much as any', () => {
    fc.assert(
      fc.property(members, fc.double({ min: 0.1, max: 1e4, noNaN: true }), (all, capacity) => {
        fc.pre(all.length > 0);
        const counts = counted(all);
        counts.share(capacity);
        const rates = all.map(([value]) => counts.rateOf(value));
        const used = all.reduce((sum, [, count], i) => sum + count * (rates[i] as number), 0);
        expect(used).toBeCloseTo(Math.min(capacity, counts.sum()), 6);
        const most = Math.max(...rates);
        all.forEach(([value], i) => {
          const rate = rates[i] as number;
          expect(rate).toBeLessThanOrEqual(value);
          if (rate < value) expect(rate).toBeCloseTo(most, 9);
        });
      }),
    );
  });

  it('forgets what was counted before', () => {
    const counts = counted([[3, 2]]);
    counts.clear();
    counts.add(1, 4);
    expect(counts.sum()).toBe(4);
  });
});
