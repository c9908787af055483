import { ThreadPool } from '@griddep/engine/parallel';
import { type Machine, machineByName } from '@griddep/machine';
import { listScenarios, type Program } from '@griddep/program';
import { hashTimeline } from '@griddep/timeline';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { processesOf } from '../processes.ts';
import { separateProcesses } from '../separate-processes.fixture.ts';
import { severalDevices } from '../several-devices.fixture.ts';
import { simulate } from '../simulate.ts';
import { type ParallelOptions, simulateParallel } from './simulate-parallel.ts';

const RUNS = process.env.GRIDDEP_FULL === '1' ? 1000 : 20;
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

it(`${RUNS} random programs over several devices`, { timeout: 1_800_000 }, async () => {
  const machine = machineByName('h200x4');
  await fc.assert(
    fc.asyncProperty(severalDevices(4), (program) => expectOneAnswer(program, machine)),
    { numRuns: RUNS, seed: 20261130, endOnFailure: true },
  );
});

it(`${RUNS / 2} random programs of processes that share nothing`, { timeout: 1_800_000 }, async () => {
  const machine = machineByName('h200x4');
  let several = 0;
  await fc.assert(
    fc.asyncProperty(separateProcesses(4), async (program) => {
      if (processesOf(program, 4).length > 1) several++;
      await expectOneAnswer(program, machine);
    }),
    { numRuns: RUNS / 2, seed: 20261130, endOnFailure: true },
  );
  expect(several).toBeGreaterThan(RUNS / 4);
});

it('a machine without lookahead runs in one thread', async () => {
  const machine = machineByName('h200x4');
  const [device] = machine.devices;
  const timing = { ...device?.timing, commandArrival: { ...device?.timing.commandArrival, value: 0 } };
  const at = { ...machine, devices: machine.devices.map((each) => ({ ...each, timing })) } as Machine;
  const [scenario] = listScenarios().filter(({ name }) => name === 'halo-exchange');
  const { shards } = await simulateParallel((scenario as NonNullable<typeof scenario>).build({}), at, {
    workers: 2,
    pool,
  });
  expect(shards).toEqual([]);
});

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
