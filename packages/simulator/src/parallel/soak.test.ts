import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ThreadPool } from '@griddep/engine/parallel';
import { machineByName } from '@griddep/machine';
import type { Program } from '@griddep/program';
import { hashTimeline } from '@griddep/timeline';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { severalDevices } from '../several-devices.fixture.ts';
import { simulate } from '../simulate.ts';
import type { Workers } from './sharding.ts';
import { simulateParallel } from './simulate-parallel.ts';

/** `npm run soak -w bench` sets it to 10. */
const MINUTES = Number(process.env.GRIDDEP_SOAK_MINUTES ?? 0);
const SEED = Number(process.env.GRIDDEP_SOAK_SEED ?? Date.now() % 1_000_000);
const MACHINE = machineByName('h200x4');
const WORKERS: readonly Workers[] = [2, 3, 'per-device'];
/** The heap may be so much larger in the last quarter of the time than in the second, MiB. */
const GROWTH_MB = 24;

/** Random programs one after another, each in one thread and in several that are disturbed at random. */
it.runIf(MINUTES > 0)(
  `${MINUTES} minutes of random programs, seed ${SEED}`,
  { timeout: MINUTES * 90_000 + 60_000 },
  async () => {
    const pool = new ThreadPool();
    const until = performance.now() + MINUTES * 60_000;
    const heaps: number[] = [];
    let programs = 0;
    while (performance.now() < until) {
      for (const program of fc.sample(severalDevices(4), { numRuns: 20, seed: SEED + programs })) {
        await oneAnswer(program, programs++, pool);
      }
      heaps.push(heapMb());
    }
    await pool.close();
    const mean = (from: number, to: number): number => {
      const part = heaps.slice(Math.floor(heaps.length * from), Math.ceil(heaps.length * to));
      return part.reduce((sum, heap) => sum + heap, 0) / part.length;
    };
    const [early, late] = [mean(0.25, 0.5), mean(0.75, 1)];
    console.log(`${programs} programs, no mismatch; heap ${early.toFixed(1)} MiB early, ${late.toFixed(1)} MiB late`);
    expect(late - early).toBeLessThan(GROWTH_MB);
  },
);

async function oneAnswer(program: Program, index: number, pool: ThreadPool): Promise<void> {
  const workers = WORKERS[index % WORKERS.length] as Workers;
  const { timeline } = await simulateParallel(program, MACHINE, { workers, jitter: SEED + index, pool });
  expect(hashTimeline(timeline), `program ${index} of seed ${SEED}`).toBe(hashTimeline(simulate(program, MACHINE)));
}

/** Heap in use after a collection, MiB. */
function heapMb(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed / 2 ** 20;
}
