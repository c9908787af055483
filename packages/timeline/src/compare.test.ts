import { describe, expect, it } from 'vitest';
import { chain } from './chain.fixture.ts';
import { compareTimelines, exceeds } from './compare.ts';
import { makeOperation, makeTimeline } from './make.ts';

const operation = (id: string, start: number, end: number) => makeOperation({ id, start: start * 1e3, end: end * 1e3 });

describe('compareTimelines', () => {
  it('finds nothing between a timeline and itself', () => {
    const comparison = compareTimelines(chain(6, true), chain(6, true));
    expect(comparison.largest).toBe(0);
    expect(comparison.makespan.change).toBe(0);
    expect(exceeds(comparison, 0)).toBe(false);
  });

  it('measures changes in ns and relative to the makespan before', () => {
    const before = makeTimeline([operation('a', 0, 100), operation('b', 100, 200)]);
    const after = makeTimeline([operation('a', 0, 110), operation('b', 120, 210)]);
    const comparison = compareTimelines(before, after);
    expect(comparison.makespan).toEqual({ before: 200, after: 210, change: 10, relative: 0.05 });
    expect(comparison.operations).toMatchObject([
      { id: 'a', matchedBy: 'id', start: 0, end: 10, duration: 10, relative: 0.05 },
      { id: 'b', matchedBy: 'id', start: 20, end: 10, duration: -10, relative: 0.1 },
    ]);
    expect(exceeds(comparison, 0.1)).toBe(false);
    expect(exceeds(comparison, 0.09)).toBe(true);
  });

  it('tells where time was gained from what is only shifted', () => {
    const before = makeTimeline([operation('a', 0, 100), operation('b', 120, 200), operation('c', 230, 300)]);
    const after = makeTimeline([operation('a', 0, 90), operation('b', 95, 175), operation('c', 205, 275)]);
    expect(compareTimelines(before, after).operations).toMatchObject([
      { id: 'a', start: 0, gap: 0, duration: -10, own: -10 },
      { id: 'b', start: -25, gap: -15, duration: 0, own: -15 },
      { id: 'c', start: -25, gap: 0, duration: 0, own: 0 },
    ]);
  });

  it('takes gaps within a stream, and from the beginning for its first operation', () => {
    const on = (id: string, stream: string, start: number) => ({ ...operation(id, start, start + 10), stream });
    const before = makeTimeline([on('a', 's', 0), on('x', 't', 50), on('y', 't', 70)]);
    const after = makeTimeline([on('a', 's', 0), on('x', 't', 20), on('y', 't', 40)]);
    expect(compareTimelines(before, after).operations.map(({ gap }) => gap)).toEqual([0, -30, 0]);
  });

  it('aligns first starts unless asked not to', () => {
    const before = makeTimeline([operation('a', 10, 20)]);
    const after = makeTimeline([operation('a', 15, 25)]);
    expect(compareTimelines(before, after).largest).toBe(0);
    expect(compareTimelines(before, after, { align: 'origin' }).operations).toMatchObject([{ start: 5, end: 5 }]);
  });

  it('matches what has no common id by name and occurrence', () => {
    const named = (id: string, name: string) => ({ ...operation(id, 0, 1), name });
    const before = makeTimeline([named('x', 'gemm'), named('k', 'gemm'), named('y', 'gemm'), named('z', 'old')]);
    const after = makeTimeline([named('1', 'gemm'), named('k', 'gemm'), named('2', 'gemm'), named('3', 'new')]);
    const comparison = compareTimelines(before, after);
    expect(comparison.operations.map((change) => [change.before, change.after, change.matchedBy])).toEqual([
      [0, 0, 'name'],
      [1, 1, 'id'],
      [2, 2, 'name'],
    ]);
    expect([comparison.onlyBefore, comparison.onlyAfter]).toEqual([[3], [3]]);
    expect(exceeds(comparison, 1)).toBe(true);
  });

  it('takes an operation that ran in only one of them as infinitely different', () => {
    const before = makeTimeline([operation('a', 0, 1), makeOperation({ id: 'b' })]);
    const after = makeTimeline([operation('a', 0, 1), operation('b', 0, 1)]);
    expect(compareTimelines(before, after).largest).toBe(Number.POSITIVE_INFINITY);
    expect(compareTimelines(before, before).largest).toBe(0);
  });
});
