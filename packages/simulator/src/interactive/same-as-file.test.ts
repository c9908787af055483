import { ThreadPool } from '@griddep/engine/parallel';
import { machineByName } from '@griddep/machine';
import type { Program } from '@griddep/program';
import { hashTimeline, type Timeline } from '@griddep/timeline';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { simulateHostCodeParallel } from '../parallel/simulate-host-code-parallel.ts';
import { randomProgram } from '../random-program.fixture.ts';
import { severalDevices } from '../several-devices.fixture.ts';
import { simulate } from '../simulate.ts';
import { asHostCode } from './replay.fixture.ts';
import { simulateHostCode } from './simulate-host-code.ts';

const RUNS = process.env.GRIDDEP_FULL === '1' ? 500 : 40;
const pool = new ThreadPool();
afterAll(() => pool.close());

/** All but the places of the calls, which are in another file. */
function withoutPlaces(timeline: Timeline) {
  return { ...timeline, operations: timeline.operations.map((operation) => ({ ...operation, origin: '' })) };
}

it(`${RUNS} random programs of one device are the same as a file and as host code`, { timeout: 600_000 }, async () => {
  const machine = machineByName('h200');
  await fc.assert(
    fc.asyncProperty(randomProgram(), async (program) => {
      const expected = simulate(program, machine);
      const timeline = await simulateHostCode(asHostCode(program), machine, { name: program.name });
      expect(hashTimeline(timeline)).toBe(hashTimeline(expected));
      expect(withoutPlaces(timeline)).toEqual(withoutPlaces(expected));
    }),
    { numRuns: RUNS, seed: 20261201, endOnFailure: true },
  );
});

it(`${RUNS / 4} random programs of several devices are the same under every executor`, {
  timeout: 600_000,
}, async () => {
  const machine = machineByName('h200x4');
  const ways = [{ workers: 2 }, { workers: 'per-device' }, { workers: 3, jitter: 1 }] as const;
  await fc.assert(
    fc.asyncProperty(severalDevices(4), async (program: Program) => {
      const code = asHostCode(program);
      const expected = await simulateHostCode(code, machine);
      for (const way of ways) {
        const { timeline, shards } = await simulateHostCodeParallel(code, machine, { ...way, pool });
        expect(shards.length).toBe(way.workers === 'per-device' ? 4 : way.workers);
        expect(hashTimeline(timeline)).toBe(hashTimeline(expected));
        expect(timeline).toEqual(expected);
      }
    }),
    { numRuns: RUNS / 4, seed: 20261202, endOnFailure: true },
  );
});
