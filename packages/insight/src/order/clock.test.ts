import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Chains } from './chains.ts';
import { Clock, type Epoch } from './clock.ts';

it('2.1 clocks over chains know exactly what comes before, for random orders over few timelines', () => {
  const points = fc.array(fc.record({ timeline: fc.nat(2), after: fc.array(fc.nat(30), { maxLength: 3 }) }), {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(points, (made) => {
      const chains = new Chains(3);
      const epochs: Epoch[] = [];
      const clocks: Clock[] = [];
      const before: Set<number>[] = [];
      made.forEach(({ timeline, after }, i) => {
        const needs = after.filter((need) => need < i);
        const known = needs.reduce((sum, need) => sum.join(clocks[need] as Clock), Clock.ZERO);
        const epoch = chains.place(timeline, known);
        epochs.push(epoch);
        clocks.push(known.with(epoch));
        before.push(new Set([i, ...needs.flatMap((need) => [...(before[need] as Set<number>)])]));
      });
      clocks.forEach((clock, i) => {
        const known = epochs.flatMap((epoch, j) => (clock.knows(epoch) ? [j] : []));
        expect(known).toEqual([...(before[i] as Set<number>)].sort((a, b) => a - b));
      });
    }),
    { numRuns: 500 },
  );
});

it('2.1 a stream in order needs no chain, however long it is', () => {
  const chains = new Chains(1);
  let clock = Clock.ZERO;
  for (let i = 0; i < 1000; i++) {
    const epoch = chains.place(0, clock);
    expect(epoch).toEqual({ timeline: 0, generation: i, chain: 0, place: 0 });
    clock = clock.with(epoch);
  }
});
