import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chain } from './chain.fixture.ts';
import { assignLanes } from './lanes.ts';
import { makeOperation, makeTimeline } from './make.ts';

const names = (timeline: Parameters<typeof assignLanes>[0]) => assignLanes(timeline).map((lane) => lane.name);

describe('assignLanes', () => {
  it('keeps kernels that do not overlap in one lane', () => {
    expect(names(chain(6, false))).toEqual(['main', 's0']);
  });

  it('gives overlapping kernels of a stream lanes of their own', () => {
    const lanes = assignLanes(chain(4, true));
    expect(lanes.map((lane) => lane.name)).toEqual(['main', 's0', 's0 (2)', 's0 (3)', 's0 (4)']);
    expect(lanes.map((lane) => lane.slices.map((slice) => slice.operation))).toEqual([
      [0, 1, 2, 3],
      [0],
      [1],
      [2],
      [3],
    ]);
  });

  it('keeps calls of a thread apart that begin and end together, and takes those of one graph launch as one', () => {
    const call = { thread: 'main', callBegin: 5, callEnd: 5 };
    const calls = ['a', 'b'].map((id) => makeOperation({ id, kind: 'hostCall', device: -1, stream: 'main', ...call }));
    expect(assignLanes(makeTimeline(calls))[0]?.slices).toHaveLength(2);
    const launch = { thread: 'main', callBegin: 5, callEnd: 9, device: 0, stream: 's', unit: 'graph' };
    const nodes = ['x/1', 'x/2'].map((id, i) => makeOperation({ id, ...launch, start: 10 + i, end: 11 + i }));
    expect(assignLanes(makeTimeline(nodes))[0]?.slices).toHaveLength(1);
  });

  it('never lets slices of a lane overlap, and loses none', () => {
    const interval = fc.tuple(fc.nat(50), fc.nat(20), fc.nat(2), fc.nat(1));
    fc.assert(
      fc.property(fc.array(interval), (intervals) => {
        const operations = intervals.map(([start, length, stream, device], i) =>
          makeOperation({ id: `${i}`, device, stream: `s${stream}`, start, end: start + length }),
        );
        const lanes = assignLanes(makeTimeline(operations));
        for (const { slices } of lanes) {
          slices.slice(1).forEach((slice, i) => {
            expect(slice.start).toBeGreaterThanOrEqual(slices[i]?.end ?? Number.NaN);
          });
        }
        const shown = lanes.flatMap((lane) => lane.slices.map((slice) => slice.operation));
        expect(shown.sort((a, b) => a - b)).toEqual(operations.map((_, i) => i));
      }),
    );
  });

  it('shows one call for all operations of a graph launch, and the graph beside its kernels', () => {
    const call = { callBegin: 0, callEnd: 10 };
    const timeline = makeTimeline([
      makeOperation({ id: 'graph', kind: 'graph', ...call, start: 20, end: 60 }),
      makeOperation({ id: 'a', ...call, start: 20, end: 40 }),
      makeOperation({ id: 'launch', kind: 'hostCall', device: -1, ...call }),
    ]);
    const lanes = assignLanes(timeline);
    expect(lanes.map((lane) => lane.name)).toEqual(['main', 's0 graph', 's0']);
    expect(lanes[0]?.slices).toEqual([{ operation: 2, start: 0, end: 10 }]);
  });

  it('runs what never ended to the end of the timeline, and leaves out what never started', () => {
    const timeline = makeTimeline([
      makeOperation({ id: 'stuck', start: 5 }),
      makeOperation({ id: 'never', enqueue: 1 }),
      makeOperation({ id: 'other', stream: 's1', start: 1, end: 30 }),
    ]);
    expect(assignLanes(timeline).map((lane) => lane.slices)).toEqual([
      [{ operation: 0, start: 5, end: 30 }],
      [{ operation: 2, start: 1, end: 30 }],
    ]);
  });
});
