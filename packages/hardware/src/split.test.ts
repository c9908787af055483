import { describe, expect, it } from 'vitest';
import { fnv1a, partOf } from './split.ts';

describe('fnv1a', () => {
  it.each([
    ['', 0x811c9dc5],
    ['a', 0xe40c292c],
    ['foobar', 0xbf9cf968],
  ])('of %j is the published value', (text, hash) => expect(fnv1a(text)).toBe(hash));
});

describe('partOf', () => {
  it.each([
    ['gap-plain-stream-1x256', 'fit'],
    ['launchrate-132x32', 'held out'],
    ['pingpong-streams', 'held out'],
    ['graph-fanout-2', 'held out'],
    ['decode-12layers-graph-pdl-gate0', 'judge'],
    ['decode-anything', 'judge'],
  ])('%s is %s', (name, part) => expect(partOf(name)).toBe(part));

  it('deals two thirds to the fit', () => {
    const names = Array.from({ length: 3000 }, (_, i) => `case-${i}`);
    const fit = names.filter((name) => partOf(name) === 'fit').length;
    expect(fit / names.length).toBeGreaterThan(0.64);
    expect(fit / names.length).toBeLessThan(0.69);
  });
});
