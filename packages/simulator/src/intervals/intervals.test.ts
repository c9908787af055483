import { ThreadPool } from '@griddep/engine/parallel';
import { type Machine, machineByName } from '@griddep/machine';
import { buildScenario, type Program, programBuilder, spin } from '@griddep/program';
import { hashTimeline, type Operation, type Timeline } from '@griddep/timeline';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { type ParallelOptions, simulateParallel } from '../parallel/simulate-parallel.ts';
import { randomProgram } from '../random-program.fixture.ts';
import { separateProcesses } from '../separate-processes.fixture.ts';
import { severalDevices } from '../several-devices.fixture.ts';
import { simulate } from '../simulate.ts';
import type { Interval } from './interval.ts';

const RUNS = process.env.GRIDDEP_FULL === '1' ? 500 : 15;
const h200x4 = machineByName('h200x4');
const pool = new ThreadPool();
afterAll(() => pool.close());

/** An operation of a timeline without what an interval does not know yet. */
function asInterval(operation: Operation): Operation {
  const { operation: _, ...cause } = operation.cause;
  return { ...operation, id: '', cause, waits: operation.waits.map(({ operation: __, ...wait }) => wait) };
}

/** Each interval of the timeline has come once, with the same values, and those of a device in order of completion. */
function expectWhole(timeline: Timeline, intervals: readonly Interval[]): void {
  const sorted = [...intervals].sort((a, b) => a.operation.callBegin - b.operation.callBegin || a.op - b.op);
  expect(sorted.map(({ operation }) => ({ ...operation, id: '' }))).toEqual(timeline.operations.map(asInterval));
  const last = new Map<number, number>();
  for (const { operation } of intervals) {
    const { device, enqueue, completion } = operation;
    // No device has heard of what has no time of arrival.
    if (device < 0 || Number.isNaN(enqueue) || Number.isNaN(completion)) continue;
    expect(completion).toBeGreaterThanOrEqual(last.get(device) ?? 0);
    last.set(device, completion);
  }
}

async function expectStreamed(program: Program, machine: Machine, ways: readonly ParallelOptions[]): Promise<void> {
  const expected = hashTimeline(simulate(program, machine));
  const intervals: Interval[] = [];
  let batches = 0;
  const hear = (batch: readonly Interval[]): void => {
    batches++;
    intervals.push(...batch);
  };
  const timeline = simulate(program, machine, { onIntervals: hear, intervalsEveryMs: 0 });
  expect(hashTimeline(timeline)).toBe(expected);
  expectWhole(timeline, intervals);
  if (timeline.operations.length > 10) expect(batches).toBeGreaterThan(1);
  for (const way of ways) {
    const heard: Interval[] = [];
    const onIntervals = (batch: readonly Interval[]): void => void heard.push(...batch);
    const run = await simulateParallel(program, machine, { ...way, pool, onIntervals, intervalsEveryMs: 0 });
    expect(hashTimeline(run.timeline)).toBe(expected);
    expectWhole(run.timeline, heard);
  }
}

const WAYS: readonly ParallelOptions[] = [
  { workers: 'sequential' },
  { workers: 2 },
  { workers: 'per-device' },
  { workers: 2, jitter: 1 },
];

describe('intervals come once each, as the timeline has them, in whatever threads', () => {
  it(`${4 * RUNS} random programs of one device`, { timeout: 1_800_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(randomProgram(), (program) => expectStreamed(program, machineByName('h200'), [])),
      { numRuns: 4 * RUNS, seed: 20261130, endOnFailure: true },
    );
  });

  it(`${RUNS} random programs over several devices`, { timeout: 1_800_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(severalDevices(4), (program) => expectStreamed(program, h200x4, WAYS)),
      { numRuns: RUNS, seed: 20261130, endOnFailure: true },
    );
  });

  it(`${RUNS} random programs of processes that share nothing`, { timeout: 1_800_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(separateProcesses(4), (program) => expectStreamed(program, h200x4, WAYS)),
      { numRuns: RUNS, seed: 20261130, endOnFailure: true },
    );
  });

  it('a program that never ends: what hangs comes at the end', async () => {
    const p = programBuilder('stuck');
    p.kernel('k', { grid: 4, block: 128, phases: [spin('1us')] });
    const [a, b] = [p.stream('a'), p.stream('b')];
    const host = p.hostThread();
    host.launchKernel('k', a);
    host.streamWaitValue(b, 'never', 1);
    host.launchKernel('k', b);
    host.streamSynchronize(b);
    await expectStreamed(p.build(), machineByName('h200'), []);
  });
});

describe('while a run goes on', () => {
  const program = buildScenario('tensor-parallel-decode', { devices: '4', layers: '40', steps: '4' });

  it.each([
    ['in the calling thread alone', 'sequential' as const],
    ['in two threads', 2],
    ['in a thread for each device', 'per-device' as const],
  ])('batches come %s, and what comes while the listener is busy is one', { timeout: 120_000 }, async (_, workers) => {
    const heard: Interval[] = [];
    let [batches, atOnce] = [0, 0];
    const onIntervals = async (batch: readonly Interval[]): Promise<void> => {
      expect(++atOnce).toBe(1);
      batches++;
      await new Promise((resolve) => setTimeout(resolve, 30));
      heard.push(...batch);
      atOnce--;
    };
    const { timeline } = await simulateParallel(program, h200x4, { workers, pool, onIntervals, intervalsEveryMs: 5 });
    expectWhole(timeline, heard);
    expect(batches).toBeGreaterThan(2);
  });

  it.each(['sequential', 2] as const)(
    'what the listener throws ends the run: %s',
    { timeout: 60_000 },
    async (workers) => {
      const ended = (onIntervals: NonNullable<ParallelOptions['onIntervals']>) =>
        simulateParallel(program, h200x4, { workers, onIntervals, intervalsEveryMs: 0 });
      const full = new Error('no room');
      await expect(
        ended(() => {
          throw full;
        }),
      ).rejects.toThrow('no room');
      await expect(ended(() => Promise.reject(full))).rejects.toThrow('no room');
    },
  );
});
