import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { PTX_TEXTS, type PtxText } from './ptx-texts.ts';
import type { BenchCase, BenchSuite } from './suite.ts';

/** Heap that 10 MB may take at most, MiB, and time, seconds: they bound growth, on any machine. */
const MOST_HEAP = 1024;
const MOST_SECONDS = 120;

/** `lint` on 10 MB of PTX, in a thread of its own, whose start and the making of the text are in the time. */
export const ptxSuite: BenchSuite = {
  name: 'ptx',
  unit: 'MB/s',
  *groups() {
    yield { name: '10 MB', cases: (Object.keys(PTX_TEXTS) as PtxText[]).map(lint), time: 1, samples: 1 };
  },
};

function lint(name: PtxText): BenchCase {
  return {
    name,
    items: 10,
    async run() {
      const begin = performance.now();
      const worker = new Worker(new URL('./ptx-worker.js', import.meta.url), {
        workerData: name,
        execArgv: [],
        resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP },
      });
      // A thread that needs more memory ends with an error, which `once` throws.
      const [findings] = await once(worker, 'message');
      await worker.terminate();
      const seconds = (performance.now() - begin) / 1000;
      if (findings === 0) throw new Error(`${name}: nothing found`);
      if (seconds > MOST_SECONDS) throw new Error(`${name}: ${seconds.toFixed(0)} s`);
    },
  };
}
