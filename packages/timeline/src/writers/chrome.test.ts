import { describe, expect, it } from 'vitest';
import { chain } from '../chain.fixture.ts';
import { makeOperation, makeTimeline } from '../make.ts';
import { busyTimeline } from './busy.fixture.ts';
import { writeChromeTrace } from './chrome.ts';

interface Event {
  ph: string;
  name: string;
  pid: number;
  tid: number;
  ts: number;
  dur: number;
  id: number;
  cat: string;
  args: Record<string, unknown>;
}

const events = (...args: Parameters<typeof writeChromeTrace>): Event[] =>
  JSON.parse(writeChromeTrace(...args)).traceEvents;

describe('writeChromeTrace', () => {
  it('keeps overlapping kernels visible in lanes of their own', () => {
    const list = events(chain(3, true));
    const lanes = list.filter((event) => event.name === 'thread_name').map((event) => event.args.name);
    expect(lanes).toEqual(['main', 's0', 's0 (2)', 's0 (3)']);
    const processes = list.filter((event) => event.name === 'process_name').map((event) => event.args.name);
    expect(processes).toEqual(['host', 'GPU 0']);
    const slices = list.filter((event) => event.cat === 'kernel');
    expect(slices.map(({ name, tid, ts, dur }) => [name, tid, ts, dur])).toEqual([
      ['rmsNorm', 1, 6, 4],
      ['qkvGemm', 2, 7.04, 7.34],
      ['attention', 3, 8.08, 10.68],
    ]);
    expect(slices[1]?.args).toMatchObject({ id: 'qkvGemm#1', 'start (us)': 7.04, cause: 'trigger of rmsNorm#0' });
  });

  it('draws causes as flows that begin inside one slice and end at the start of another', () => {
    for (const timeline of [chain(6, true), chain(6, false), busyTimeline()]) {
      const list = events(timeline);
      const starts = list.filter((event) => event.ph === 's');
      const ends = list.filter((event) => event.ph === 'f');
      expect(starts.length).toBeGreaterThanOrEqual(6);
      expect(ends.map((event) => event.id)).toEqual(starts.map((event) => event.id));
      const at = (flow: Event) =>
        list.filter(
          (e) => e.ph === 'X' && e.tid === flow.tid && e.ts <= flow.ts && flow.ts < e.ts + Math.max(e.dur, 1e-6),
        );
      starts.forEach((start, i) => {
        expect(at(start).length).toBeGreaterThan(0);
        expect(at(ends[i] as Event).some((slice) => slice.ts === ends[i]?.ts)).toBe(true);
        expect(start.ts).toBeLessThanOrEqual(ends[i]?.ts ?? 0);
      });
    }
  });

  it('rounds so that slices which touch do not overlap', () => {
    const timeline = makeTimeline([
      makeOperation({ id: 'a', start: 400, end: 1600 }),
      makeOperation({ id: 'b', start: 1600, end: 2499 }),
    ]);
    const [a, b] = events(timeline).filter((event) => event.ph === 'X');
    expect([a?.ts, a?.dur, b?.ts, b?.dur]).toEqual([0, 0.002, 0.002, 0]);
  });
});
