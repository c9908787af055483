import { nearestName as ofMachines } from '@griddep/machine';
import { nearestName as ofPrograms } from '@griddep/program';
import fc from 'fast-check';
import { expect, it } from 'vitest';

/** Programs and machines know nothing of each other, nor of anything below, so each has the rule; it is the same. */
it('the name nearest to a wrong one is the same for programs and machines', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', 'B', 'x', '-', '0'), maxLength: 9 });
  fc.assert(
    fc.property(name, fc.array(name, { maxLength: 8 }), (wrong, names) => {
      expect(ofMachines(wrong, names)).toBe(ofPrograms(wrong, names));
    }),
    { numRuns: 1000 },
  );
});
