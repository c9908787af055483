import { makeOperation, makeTimeline } from '@griddep/timeline';
import { describe, expect, it } from 'vitest';
import { only, shifted } from './arrange.ts';
import { chainKernels, chainTimes } from './chain.ts';

const NS = 1000;
const kernel = (id: string, start: number, end: number, release = Number.NaN) =>
  makeOperation({
    id,
    stream: 's0',
    start: start * NS,
    end: end * NS,
    firstRelease: release * NS,
    lastRelease: release * NS,
  });

describe('a chain of kernels', () => {
  it('is idle between kernels, and running else', () => {
    const times = chainTimes([kernel('a', 0, 10), kernel('b', 12, 20), kernel('c', 25, 30)]);
    expect(times).toEqual({ latency: 30, idle: 7, running: 23, overlapped: 0 });
  });

  it('overlaps what comes before the wait returns', () => {
    const times = chainTimes([kernel('a', 0, 10), kernel('b', 4, 18, 11), kernel('c', 17, 25, 17.5)]);
    expect(times).toEqual({ latency: 25, idle: 0, running: 25, overlapped: 6.5 });
  });

  it('can be cut out and moved', () => {
    const gate = makeOperation({ id: 'gate', stream: 'gate', start: 0, end: 5 * NS });
    const first = { ...kernel('a', 6, 10), cause: { kind: 'event' as const, operation: 0 } };
    const second = { ...kernel('b', 11, 12), cause: { kind: 'stream' as const, operation: 1 } };
    const timeline = makeTimeline([gate, first, second]);
    const chain = shifted(only(timeline, chainKernels(timeline, 's0')), -6 * NS);
    expect(chain.operations.map(({ id, start, cause }) => [id, start, cause])).toEqual([
      ['a', 0, { kind: 'event' }],
      ['b', 5 * NS, { kind: 'stream', operation: 0 }],
    ]);
  });
});
