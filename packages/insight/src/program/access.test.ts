import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Extent, overlap } from './access.ts';

const extent: fc.Arbitrary<Extent> = fc
  .record({
    begin: fc.nat(40),
    bytes: fc.integer({ min: 1, max: 6 }),
    gap: fc.integer({ min: 1, max: 9 }),
    count: fc.integer({ min: 1, max: 6 }),
  })
  .map(({ begin, bytes, gap, count }) => ({ memory: 'm', begin, bytes, stride: count === 1 ? 0 : bytes + gap, count }));

function bytesOf({ begin, bytes, stride, count }: Extent): Set<number> {
  const all = new Set<number>();
  for (let i = 0; i < count; i++) for (let b = 0; b < bytes; b++) all.add(begin + i * stride + b);
  return all;
}

it('2.1 two extents overlap exactly where they share a byte', () => {
  fc.assert(
    fc.property(extent, extent, (a, b) => {
      const shared = [...bytesOf(a)].some((byte) => bytesOf(b).has(byte));
      expect(overlap(a, b)).toBe(shared);
      expect(overlap(a, { ...b, memory: 'other' })).toBe(false);
    }),
    { numRuns: 1000 },
  );
});
