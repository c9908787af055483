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
/** This much larger may be, in the last quarter of the time than in the second, the heap and all threads' memory, MiB. */
const GROWTH_MB = { heap: 24, all: 128 };

/** Random programs one after another, each in one thread and in several that are disturbed at random. */
it.runIf(MINUTES > 0)(
  `${MINUTES} minutes of random programs, seed ${SEED}`,
  { timeout: MINUTES * 90_000 + 60_000 },
  async () => {
    const pool = new ThreadPool();
    const until = performance.now() + MINUTES * 60_000;
    const measured: Memory[] = [];
    let programs = 0;
    while (performance.now() < until) {
      for (const program of fc.sample(severalDevices(4), { numRuns: 20, seed: SEED + programs })) {
        await oneAnswer(program, programs++, pool);
      }
      measured.push(memory());
    }
    await pool.close();
    const mean = (of: keyof Memory, from: number, to: number): number => {
      const part = measured.slice(Math.floor(measured.length * from), Math.ceil(measured.length * to));
      return part.reduce((sum, each) => sum + each[of], 0) / part.length;
    };
    console.log(`${programs} programs, no mismatch`);
    for (const of of ['heap', 'all'] as const) {
      const [early, late] = [mean(of, 0.25, 0.5), mean(of, 0.75, 1)];
      console.log(`memory (${of}): ${early.toFixed(1)} MiB early, ${late.toFixed(1)} MiB late`);
      expect(late - early).toBeLessThan(GROWTH_MB[of]);
    }
  },
);

async function oneAnswer(program: Program, index: number, pool: ThreadPool): Promise<void> {
  const workers = WORKERS[index % WORKERS.length] as Workers;
  const { timeline } = await simulateParallel(program, MACHINE, { workers, jitter: SEED + index, pool });
  expect(hashTimeline(timeline), `program ${index} of seed ${SEED}`).toBe(hashTimeline(simulate(program, MACHINE)));
}

/** MiB: the calling thread's heap in use after a collection, and what the process holds, its worker threads with it. */
interface Memory {
  readonly heap: number;
  readonly all: number;
}

function memory(): Memory {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: heapUsed / 2 ** 20, all: rss / 2 ** 20 };
}
