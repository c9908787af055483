import { machineByName } from '@griddep/machine';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { simulateParallel } from '../parallel/simulate-parallel.ts';
import { severalDevices } from '../several-devices.fixture.ts';
import { simulate } from '../simulate.ts';
import { KIB, run, takes } from './rules.fixture.ts';

const X2 = machineByName('h200x2');
const LISTED = { ...X2, host: { ...X2.host, implicitSynchronization: 'listed' } } as const;

interface Step {
  readonly what: string;
  readonly stream: string;
}
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    what: fc.constantFrom('kernel', 'kernel', 'upload', 'memset', 'copyWithin'),
    stream: fc.constantFrom('s', 't', 'u'),
  }),
  { minLength: 2, maxLength: 20 },
);

it('6.6 by the documented list nothing of the device overlaps across a memset or a copy within it', () => {
  const overlaps = (machine: typeof LISTED | typeof X2, calls: readonly Step[]): boolean => {
    const { of } = run((host, p) => {
      p.kernel('k', takes(20));
      p.stream('u');
      for (const [i, { what, stream }] of calls.entries()) {
        const label = `op${i}`;
        if (what === 'kernel') host.launchKernel('k', stream, undefined, { label });
        else if (what === 'upload')
          host.memcpyAsync('hostToDevice', 256 * KIB, stream, { hostMemory: 'pinned', label });
        else if (what === 'memset') host.memsetAsync(256 * KIB, stream, { label });
        else host.memcpyAsync('deviceToDevice', 256 * KIB, stream, { label });
      }
    }, machine);
    const operations = calls.map((_, i) => of(`op${i}`));
    return calls.some(({ what }, at) => {
      if (what !== 'memset' && what !== 'copyWithin') return false;
      const { start, end } = operations[at] as (typeof operations)[0];
      return operations.some((other, i) => (i < at ? other.end > start : i > at && other.start < end));
    });
  };
  let overlapped = 0;
  fc.assert(
    fc.property(steps, (calls) => {
      expect(overlaps(LISTED, calls)).toBe(false);
      if (overlaps(X2, calls)) overlapped++;
    }),
    { seed: 20261130 },
  );
  expect(overlapped).toBeGreaterThan(10);
});

it('6.6 random programs end alike from threads where the documented list holds, and block by block', async () => {
  await fc.assert(
    fc.asyncProperty(severalDevices(2), async (program) => {
      const { operations, stuck } = simulate(program, LISTED);
      const threads = await simulateParallel(program, LISTED, { workers: 2 });
      expect([threads.timeline.operations, threads.timeline.stuck]).toEqual([operations, stuck]);
      expect(simulate(program, LISTED, { blockByBlock: true }).operations).toEqual(operations);
    }),
    { numRuns: 4, seed: 20261130 },
  );
}, 60_000);
