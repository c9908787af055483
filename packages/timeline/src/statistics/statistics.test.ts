import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chain } from '../chain.fixture.ts';
import { makeOperation, makeTimeline } from '../make.ts';
import type { Operation } from '../operation.ts';
import { statistics } from './statistics.ts';

const NS = 1e3;
const kernel = (id: string, stream: string, start: number, end: number, more: Partial<Operation> = {}) =>
  makeOperation({ id, stream, start: start * NS, end: end * NS, sms: 10, ...more });

const kernels = fc
  .array(fc.tuple(fc.nat(40), fc.nat(15), fc.nat(3), fc.nat(1)), { maxLength: 25 })
  .map((list) =>
    list.map(([start, length, stream, device], i) => kernel(`${i}`, `s${stream}`, start, start + length, { device })),
  );

describe('statistics', () => {
  it('describes a chain with PDL', () => {
    const { makespan, devices, consecutive, overlapping, streams, operations } = statistics(chain(6, true));
    expect(makespan).toBe(25_900);
    expect(operations).toEqual({ kernel: 6 });
    expect(consecutive.count).toBe(5);
    expect(consecutive.pairs[0]).toEqual({ first: 0, second: 1, gap: -2960, overlap: 2960 });
    expect(overlapping.count).toBe(13);
    expect(streams).toMatchObject([{ stream: 's0', kernels: 6, busyTime: 25_900, start: 6000, end: 31_900 }]);
    expect(devices).toMatchObject([{ peakConcurrency: 5, busyTime: 25_900, busySms: { mean: 132, peak: 132 } }]);
  });

  it('describes a chain without it', () => {
    const { makespan, devices, consecutive, overlapping } = statistics(chain(6, false));
    expect(makespan).toBe(28_500);
    expect(consecutive.gap).toEqual({ least: 900, median: 900, mean: 900, most: 900 });
    expect(overlapping).toEqual({ count: 0, overlap: 0, pairs: [] });
    expect(devices[0]).toMatchObject({ concurrency: 1, peakConcurrency: 1, busyTime: 24_000 });
  });

  it('counts and sums overlapping pairs as trying every pair does', () => {
    fc.assert(
      fc.property(kernels, fc.nat(30), (operations, most) => {
        let count = 0;
        let sum = 0;
        operations.forEach((a, i) => {
          for (const b of operations.slice(i + 1)) {
            const overlap = Math.min(a.end, b.end) - Math.max(a.start, b.start);
            if (a.device !== b.device || overlap <= 0) continue;
            count++;
            sum += overlap / NS;
          }
        });
        const { overlapping } = statistics(makeTimeline(operations), { pairs: most });
        expect(overlapping.count).toBe(count);
        expect(overlapping.overlap).toBeCloseTo(sum);
        expect(overlapping.pairs.length).toBe(Math.min(most, count));
        for (const pair of overlapping.pairs) expect(pair.overlap).toBeGreaterThan(0);
      }),
    );
  });

  it('weights concurrency by time, as sampling every ns does', () => {
    fc.assert(
      fc.property(kernels, (operations) => {
        let busy = 0;
        let work = 0;
        for (let at = 0.5; at < 60; at++) {
          const running = operations.filter(
            ({ device, start, end }) => device === 0 && start <= at * NS && at * NS < end,
          ).length;
          busy += running > 0 ? 1 : 0;
          work += running;
        }
        const [device] = statistics(makeTimeline(operations)).devices;
        expect(device?.concurrency).toBeCloseTo(busy === 0 ? 0 : work / busy);
        expect(device?.busyTime).toBeCloseTo(busy);
      }),
    );
  });

  it('counts SMs from blocks where there are any', () => {
    const timeline = makeTimeline([kernel('a', 's0', 0, 30)], {
      blocks: {
        operation: Uint32Array.of(0, 0, 0),
        block: Uint32Array.of(0, 1, 2),
        sm: Uint16Array.of(4, 4, 9),
        start: Float64Array.of(0, 5 * NS, 10 * NS),
        end: Float64Array.of(10 * NS, 20 * NS, 30 * NS),
      },
    });
    const { busySms } = statistics(timeline).devices[0] ?? {};
    expect(busySms).toEqual({ time: [0, 10, 20, 30], busy: [1, 2, 1, 0], peak: 2, mean: 40 / 30 });
  });

  it('caps the sum over kernels at the SMs of the device', () => {
    const operations = [kernel('a', 's0', 0, 20), kernel('b', 's1', 10, 30)];
    const timeline = makeTimeline(operations, { devices: [{ name: '', sms: 15 }] });
    expect(statistics(timeline).devices[0]?.busySms).toMatchObject({ time: [0, 10, 20, 30], busy: [10, 15, 10, 0] });
  });

  it('sums slowdown by resource', () => {
    const slow = (resource: 'deviceMemory' | 'link', factor: number) => ({ slowdown: [{ resource, factor }] });
    const timeline = makeTimeline([
      kernel('a', 's0', 0, 20, slow('deviceMemory', 2)),
      kernel('b', 's1', 0, 30, slow('deviceMemory', 1.5)),
      kernel('c', 's2', 0, 8, slow('link', 4)),
      kernel('d', 's3', 0, 8, slow('link', 1)),
    ]);
    expect(statistics(timeline).slowdown).toEqual([
      { resource: 'deviceMemory', operations: 2, mean: 50 / 30, most: 2, lostTime: 20 },
      { resource: 'link', operations: 1, mean: 4, most: 4, lostTime: 6 },
    ]);
  });

  it('takes an empty timeline', () => {
    expect(statistics(makeTimeline([]))).toMatchObject({ makespan: 0, consecutive: { count: 0 }, slowdown: [] });
  });
});
