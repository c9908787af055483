import { describe, expect, it } from 'vitest';
import { chain } from './chain.fixture.ts';
import { makeOperation } from './make.ts';
import { observe, observeTimeline } from './view.ts';

describe('observe', () => {
  it('reads gaps between graph kernels as CUPTI does on an H200: 0.1-0.26 us where blocks show 0.90', () => {
    const gaps = (observer: 'blocks' | 'profiler') => {
      const seen = observeTimeline(chain(3, false), observer);
      return seen.slice(1).map(({ start }, i) => (start - (seen[i]?.end ?? 0)) / 1e6);
    };
    for (const gap of gaps('blocks')) expect(gap).toBeCloseTo(0.9);
    for (const gap of gaps('profiler')) {
      expect(gap).toBeGreaterThan(0.1);
      expect(gap).toBeLessThan(0.26);
    }
  });

  it('takes offsets, and applies them to kernels alone', () => {
    const offsets = { lead: 5, tail: 7 };
    const kernel = makeOperation({ id: 'a', processing: 50, start: 100, end: 200, completion: 250 });
    expect(observe(kernel, 'profiler', offsets)).toEqual({ start: 95, end: 207 });
    expect(observe({ ...kernel, kind: 'copy' }, 'profiler', offsets)).toEqual({ start: 100, end: 200 });
    expect(observe(kernel, 'events', offsets)).toEqual({ start: 50, end: 250 });
  });
});
