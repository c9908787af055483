import { machineByName } from '@griddep/machine';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { simulateParallel } from '../parallel/simulate-parallel.ts';
import { severalDevices } from '../several-devices.fixture.ts';
import { simulate } from '../simulate.ts';

const X2 = machineByName('h200x2');
const LISTED = { ...X2, host: { ...X2.host, implicitSynchronization: 'listed' } } as const;

it('6.6 random programs end alike from threads where the documented list holds, and block by block', async () => {
  let differs = 0;
  await fc.assert(
    fc.asyncProperty(severalDevices(2), async (program) => {
      const { operations, stuck } = simulate(program, LISTED);
      const threads = await simulateParallel(program, LISTED, { workers: 2 });
      expect([threads.timeline.operations, threads.timeline.stuck]).toEqual([operations, stuck]);
      expect(simulate(program, LISTED, { blockByBlock: true }).operations).toEqual(operations);
      if (simulate(program, X2).operations.some(({ end }, i) => end !== operations[i]?.end)) differs++;
    }),
    { numRuns: 8, seed: 20261130 },
  );
  expect(differs).toBeGreaterThan(0);
}, 60_000);
