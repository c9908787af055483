import { describe, expect, it } from 'vitest';
import { chain } from './chain.fixture.ts';
import { readTimeline, writeTimeline } from './file.ts';
import { hashTimeline } from './hash.ts';
import { makeOperation, makeTimeline } from './make.ts';

describe('hashTimeline', () => {
  it('is SHA-256 of the canonical lines', () => {
    expect(hashTimeline(makeTimeline([]))).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(hashTimeline(chain(6, true))).toMatch(/^[0-9a-f]{64}$/);
  });

  it('survives the file, and does not see machine, basis or origin', () => {
    const timeline = chain(6, true);
    const hash = hashTimeline(timeline);
    expect(hashTimeline(readTimeline(writeTimeline(timeline)))).toBe(hash);
    const operations = timeline.operations.map((operation) => ({ ...operation, origin: 'x.ts:1:1' }));
    expect(hashTimeline({ ...timeline, operations, machine: 'other' })).toBe(hash);
  });

  it('does not depend on positions', () => {
    const a = makeOperation({ id: 'a', start: 1, end: 2 });
    const b = makeOperation({ id: 'b', start: 1, end: 2, cause: { kind: 'stream', operation: 0 } });
    const turned = { ...b, cause: { kind: 'stream' as const, operation: 1 } };
    expect(hashTimeline(makeTimeline([a, b]))).toBe(hashTimeline(makeTimeline([turned, a])));
  });

  it('sees every instant, the stream, and the cause', () => {
    const one = (fields: object) =>
      hashTimeline(makeTimeline([makeOperation({ id: 'a', start: 1, end: 2, ...fields })]));
    const hashes = [
      {},
      { end: 3 },
      { firstRelease: 1 },
      { stream: 's1' },
      { device: 1 },
      { cause: { kind: 'event' } },
      { cause: { kind: 'host', operation: 0 } },
    ].map(one);
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
