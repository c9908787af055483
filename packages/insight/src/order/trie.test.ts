import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Trie } from './trie.ts';

const entries = fc.array(fc.tuple(fc.oneof(fc.nat(12), fc.nat(5000)), fc.nat(5)), { maxLength: 20 });

function made(list: readonly (readonly [number, number])[], from = Trie.empty<number>(Math.max)): Trie<number> {
  return list.reduce((trie, [index, value]) => trie.with(index, value), from);
}

it('2.1 holds what a map would, and of two joined the greater values', () => {
  fc.assert(
    fc.property(entries, entries, entries, (shared, a, b) => {
      const base = made(shared);
      const [left, right] = [made(a, base), made(b, base)];
      const both = left.join(right);
      const model = new Map<number, number>();
      for (const [index, value] of [...shared, ...a, ...b]) model.set(index, Math.max(value, model.get(index) ?? 0));
      for (const index of [...model.keys(), 3, 77, 4999, 100_000]) expect(both.get(index)).toBe(model.get(index));
      // Nothing new where one holds all that the other does.
      expect(both.join(left)).toBe(both);
      expect(base.join(left)).toBe(left);
      for (const [index, value] of a) expect(left.with(index, value)).toBe(left);
    }),
    { numRuns: 500 },
  );
});
