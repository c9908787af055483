import { machineByName } from '@griddep/machine';
import { buildScenario } from '@griddep/program';
import { simulate } from '@griddep/simulator';
import { assignLanes, makeOperation, makeTimeline, type Operation } from '@griddep/timeline';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsOf } from '../data/columns.ts';
import { Store } from '../data/store.ts';
import { sliceAt, visitMarks } from './level-of-detail.ts';
import { sectionsOf } from './sections.ts';

const lanesOf = (operations: readonly Operation[]) => sectionsOf(new Store(columnsOf(makeTimeline(operations))));

const operations = fc
  .array(
    fc.record({
      start: fc.integer({ min: 0, max: 1e6 }),
      length: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 1e5 })),
      blocks: fc.constantFrom(1, 2),
    }),
    { minLength: 1, maxLength: 200 },
  )
  .map((list) =>
    list.map(({ start, length, blocks }, i) => makeOperation({ id: `k#${i}`, start, end: start + length, blocks })),
  );

describe('lanes', () => {
  it('are those of the other pictures', () => {
    for (const [name, set, machine] of [
      ['decode-chain', { layers: '3', mode: 'graph' }, 'h200'],
      ['portable-peer-copy', { devices: '3' }, 'h200x4'],
      ['fork-join', { rounds: '2' }, 'h200'],
    ] as const) {
      const timeline = simulate(buildScenario(name, set), machineByName(machine));
      const sections = sectionsOf(new Store(columnsOf(timeline)));
      const shown = sections.filter(({ key }) => key === 'host' || key.endsWith(' streams')).flatMap((s) => s.lanes());
      const expected = assignLanes(timeline);
      expect(shown.map(({ name: lane }) => lane)).toEqual(expected.map(({ name: lane }) => lane));
      expect(shown.map((lane) => [...lane.starts])).toEqual(expected.map(({ slices }) => slices.map((s) => s.start)));
      expect(shown.map((lane) => [...lane.operations])).toEqual(
        expected.map(({ slices }) => slices.map((s) => s.operation)),
      );
    }
  });

  it('are drawn so that every slice is in exactly one mark, each a pixel wide at least, at most two a pixel', () => {
    fc.assert(
      fc.property(operations, fc.integer({ min: 1, max: 400 }), (list, width) => {
        for (const lane of lanesOf(list).flatMap((section) => section.lanes())) {
          let next = 0;
          let count = 0;
          visitMarks(lane, 0, 1.2e6, width, (from, to, left, right, _, hasSingle) => {
            expect(from).toBe(next);
            expect(right - left).toBeGreaterThanOrEqual(1 - 1e-9);
            const singles = [...lane.operations.subarray(from, to)].filter((i) => list[i]?.blocks === 1);
            expect(hasSingle).toBe(singles.length > 0);
            next = to;
            count++;
          });
          expect(next).toBe(lane.starts.length);
          expect(count).toBeLessThanOrEqual(2 * width + 2);
        }
      }),
    );
  });

  it('find the slice under a pointer, or one close to it', () => {
    const [lane] = lanesOf([
      makeOperation({ id: 'a', start: 10, end: 20 }),
      makeOperation({ id: 'b', start: 30, end: 31 }),
    ]).flatMap((section) => section.lanes());
    if (lane === undefined) throw new Error('no lane');
    expect(sliceAt(lane, 15, 0)).toBe(0);
    expect(sliceAt(lane, 28, 1)).toBeUndefined();
    expect(sliceAt(lane, 28, 2)).toBe(1);
  });

  it('have curves that add up', () => {
    const sections = lanesOf([
      makeOperation({ id: 'a', start: 0, end: 100, sms: 100 }),
      makeOperation({ id: 'b', start: 50, end: 150, sms: 100, stream: 's1' }),
      makeOperation({ id: 'c', kind: 'copy', start: 0, end: 1000, bytes: 5 }),
    ]);
    const curves = sections.flatMap((section) => section.curves());
    const plain = curves.map(({ title, times, values }) => ({ title, times: [...times], values: [...values] }));
    expect(plain).toEqual([
      { title: 'busy SMs', times: [0, 50, 100, 150], values: [100, 132, 100, 0] },
      { title: 'running kernels', times: [0, 50, 100, 150], values: [1, 2, 1, 0] },
      { title: 'copies', times: [0, 1000], values: [5, 0] },
    ]);
  });
});
