import fc from 'fast-check';
import { expect, it } from 'vitest';
import { latinHypercube } from './latin-hypercube.ts';
import { generator } from './random.ts';

const arguments_ = fc.tuple(fc.nat(1000), fc.integer({ min: 0, max: 5 }), fc.integer({ min: 1, max: 40 }));

it('each part of each dimension holds one point, and the seed says which', () => {
  fc.assert(
    fc.property(arguments_, ([seed, dimensions, count]) => {
      const points = [...latinHypercube(generator(seed, 'test'), dimensions, count)];
      expect(points).toEqual([...latinHypercube(generator(seed, 'test'), dimensions, count)]);
      expect(points.map((point) => point.length)).toEqual(Array.from({ length: count }, () => dimensions));
      for (let k = 0; k < dimensions; k++) {
        const parts = points.map((point) => Math.floor((point[k] as number) * count));
        expect(parts.sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, i) => i));
      }
    }),
  );
});
