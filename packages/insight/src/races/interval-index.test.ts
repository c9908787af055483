import fc from 'fast-check';
import { expect, it } from 'vitest';
import { IntervalIndex } from './interval-index.ts';

it('2.1 keeps for every byte what was put there, in order', () => {
  const put = fc.record({ begin: fc.nat(30), bytes: fc.integer({ min: 1, max: 12 }) });
  fc.assert(
    fc.property(fc.array(put, { maxLength: 12 }), (puts) => {
      const index = new IntervalIndex<number>();
      const model = new Map<number, number[]>();
      puts.forEach(({ begin, bytes }, i) => {
        index.update({ memory: 'm', begin, bytes, stride: 0, count: 1 }, (kept) => [...kept, i]);
        for (let byte = begin; byte < begin + bytes; byte++) model.set(byte, [...(model.get(byte) ?? []), i]);
      });
      for (let byte = 0; byte < 42; byte++) {
        let seen: readonly number[] = [];
        index.update({ memory: 'm', begin: byte, bytes: 1, stride: 0, count: 1 }, (kept) => {
          seen = kept;
          return kept;
        });
        expect(seen).toEqual(model.get(byte) ?? []);
      }
    }),
    { numRuns: 300 },
  );
});
