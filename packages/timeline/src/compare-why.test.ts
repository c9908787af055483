import { expect, it } from 'vitest';
import { chain } from './chain.fixture.ts';
import { compareTimelines } from './compare.ts';
import { whyChanged } from './compare-why.ts';
import { makeOperation, makeTimeline } from './make.ts';

it('says what changed in cause, waits, placement and slowdown', () => {
  const k = (sms: number, maxBlocksPerSm: number, factor: number) =>
    makeOperation({
      id: 'k',
      start: 1e6,
      end: 2e6,
      sms,
      maxBlocksPerSm,
      slowdown: [{ resource: 'arithmetic', factor }],
    });
  const p = makeOperation({ id: 'p', start: 0, end: 5e5 });
  const wait = { operation: 0, from: 0, until: 5e5 };
  const before = makeTimeline([
    p,
    { ...k(132, 1, 1), cause: { kind: 'stream', operation: 0 }, waits: [{ kind: 'stream', ...wait }] },
  ]);
  const after = makeTimeline([
    p,
    { ...k(44, 3, 2.5), cause: { kind: 'carveOut', operation: 0 }, waits: [{ kind: 'carveOut', ...wait }] },
  ]);
  const [unchanged, changed] = compareTimelines(before, after).operations;
  expect(unchanged && whyChanged(before, after, unchanged)).toEqual([]);
  expect(changed && whyChanged(before, after, changed)).toEqual([
    { fact: 'cause', before: 'stream order of p', after: 'shared-memory carve-out of p' },
    { fact: 'waited for', before: 'stream order of p 0.50 us', after: 'shared-memory carve-out of p 0.50 us' },
    { fact: 'SMs x most blocks per SM', before: '132 x 1', after: '44 x 3' },
    { fact: 'slowdown', before: 'arithmetic 1.00', after: 'arithmetic 2.50' },
  ]);
});

it('says nothing of a wait that only got longer', () => {
  const waiting = (until: number) =>
    makeTimeline([makeOperation({ id: 'k', start: until, end: 9e6, waits: [{ kind: 'staging', from: 0, until }] })]);
  const [change] = compareTimelines(waiting(1e6), waiting(2e6), { align: 'origin' }).operations;
  expect(change && whyChanged(waiting(1e6), waiting(2e6), change)).toEqual([]);
  const [first] = compareTimelines(chain(2, false), chain(2, true)).operations.slice(1);
  expect(first && whyChanged(chain(2, false), chain(2, true), first)[0]?.fact).toBe('cause');
});
