import { ThreadPool } from '@griddep/engine/parallel';
import { type Machine, machineByName } from '@griddep/machine';
import { listScenarios, type Program } from '@griddep/program';
import { hashTimeline } from '@griddep/timeline';
import { afterAll, describe, expect, it } from 'vitest';
import { simulate } from '../simulate.ts';
import { type ParallelOptions, simulateParallel } from './simulate-parallel.ts';

const pool = new ThreadPool();
afterAll(() => pool.close());

const WAYS: readonly ParallelOptions[] = [
  { workers: 2 },
  { workers: 3 },
  { workers: 'per-device' },
  { workers: 2, jitter: 1 },
  { workers: 'per-device', jitter: 2, blockByBlock: true },
];

/** One thread and every way of several give one timeline, to the last field. */
async function expectOneAnswer(program: Program, machine: Machine): Promise<void> {
  const expected = simulate(program, machine);
  for (const way of WAYS) {
    const { timeline } = await simulateParallel(program, machine, { ...way, pool });
    expect(hashTimeline(timeline)).toBe(hashTimeline(expected));
    // Block by block other constants of the scheduler decide.
    expect({ ...timeline, basis: way.blockByBlock ? expected.basis : timeline.basis }).toEqual(expected);
  }
}

describe('scenarios on several devices', () => {
  const scenarios = listScenarios().filter(({ params }) => params.some(({ name }) => name === 'devices'));

  it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    '%s',
    { timeout: 60_000 },
    async (_, scenario) => {
      await expectOneAnswer(scenario.build({ devices: 4 }), machineByName('h200x4'));
    },
  );

  it('are there', () => expect(scenarios.length).toBeGreaterThanOrEqual(10));
});
