import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Share, shareMaxMin } from './max-min.ts';

const PORTS = ['a', 'b', 'c', 'd', 'e'];
const capacities = fc.array(fc.double({ min: 1e9, max: 1e12, noNaN: true }), { minLength: 5, maxLength: 5 });
const share = fc
  .record({
    ports: fc.uniqueArray(fc.constantFrom(...PORTS), { minLength: 1, maxLength: 3 }),
    limit: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.double({ min: 1e8, max: 1e12, noNaN: true })),
  })
  .map((s): Share => ({ ...s, rate: 0 }));
const shares = fc.array(share, { minLength: 1, maxLength: 12 });
const NEARLY = 1e-9;

const used = (all: readonly Share[], port: string) =>
  all.filter((s) => s.ports.includes(port)).reduce((sum, s) => sum + s.rate, 0);

it('fills no port beyond its capacity, and leaves none idle that somebody could use', () => {
  fc.assert(
    fc.property(shares, capacities, (all, sizes) => {
      const capacity = (port: string) => sizes[PORTS.indexOf(port)] as number;
      shareMaxMin(all, capacity);
      for (const port of PORTS) expect(used(all, port)).toBeLessThanOrEqual(capacity(port) * (1 + NEARLY));
      for (const { ports, rate, limit } of all) {
        const bound = rate >= limit || ports.some((port) => used(all, port) >= capacity(port) * (1 - NEARLY));
        expect(bound).toBe(true);
      }
    }),
  );
});

it('gives nobody less than another at a full port that could take from it', () => {
  fc.assert(
    fc.property(shares, capacities, (all, sizes) => {
      const capacity = (port: string) => sizes[PORTS.indexOf(port)] as number;
      shareMaxMin(all, capacity);
      for (const { ports, rate, limit } of all) {
        if (rate >= limit) continue;
        const bottleneck = ports.some((port) => {
          const users = all.filter((s) => s.ports.includes(port));
          const most = Math.max(...users.map((s) => s.rate));
          return used(all, port) >= capacity(port) * (1 - NEARLY) && rate >= most * (1 - NEARLY);
        });
        expect(bottleneck).toBe(true);
      }
    }),
  );
});
