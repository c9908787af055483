import { expect, it } from 'vitest';
import { familyOf, kindOfCase } from './family.ts';

it.each([
  ['gap-plain-stream-1x256', 'gap-plain'],
  ['gap-pdl-waitfirst-notrigger-graph-132x1024', 'gap-pdl'],
  ['chain32-graphpdl-500', 'chain32'],
  ['carveout-pair-0K-16K', 'carveout-pair'],
  ['fuzz-stream-1dev-50', 'fuzz-stream'],
  ['mix-1dev-650', 'mix'],
  ['copy-h2d-4096', 'copy'],
  ['between-recordtiming-pdl0', 'between'],
  ['launchrate-132x32', 'launchrate'],
  ['elapsed-empty', 'elapsed'],
])('%s is of %s', (name, family) => expect(familyOf(name)).toBe(family));

it('knows random programs and applications by name', () => {
  expect(['fuzz-graph-1dev-1', 'mix-2dev-7', 'decode-12layers-x', 'fma-two-streams'].map(kindOfCase)).toEqual([
    'random program',
    'random program',
    'application',
    'mechanism',
  ]);
});
