import { expect, it } from 'vitest';
import { findCycles } from './find-cycles.mjs';

/** @param {Record<string, string[]>} edges */
const cyclesOf = (edges) => findCycles(new Map(Object.entries(edges)));

it('finds a cycle for each edge that closes one', () => {
  expect(cyclesOf({ a: ['b'], b: ['c'], c: ['a', 'b'], d: ['a'] })).toEqual([
    ['a', 'b', 'c', 'a'],
    ['b', 'c', 'b'],
  ]);
  expect(cyclesOf({ a: ['a'] })).toEqual([['a', 'a']]);
});

it('finds none where there is none, and passes over what is no node', () => {
  expect(cyclesOf({ a: ['b', 'c', 'elsewhere'], b: ['d'], c: ['d'], d: [] })).toEqual([]);
});

it('walks a chain of a hundred thousand', () => {
  const n = 100_000;
  const chain = new Map(Array.from({ length: n }, (_, i) => [`${i}`, [`${(i + 1) % n}`]]));
  expect(findCycles(chain).map((cycle) => cycle.length)).toEqual([n + 1]);
});
