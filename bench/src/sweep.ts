// `node dist/sweep.js [--runs 10000]`: runs of a program of 100 operations in one thread and in two, into a file. Prints how
// much quicker two are, and what a run costs beside its simulation.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LocalRuns, readSweep, runSweep } from '@griddep/sweep';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '10000' } } });
const runs = Number(values.runs);
const folder = mkdtempSync(join(tmpdir(), 'griddep-bench-'));
const PROGRAM = `schema: griddep/program@1
params: { length: 5 }
kernels:
  k: { grid: 132, block: 128, phases: [spin: "\${length * 1000000}"] }
streams: [a, b]
calls:
  - repeat:
      times: 50
      calls:
        - launchKernel: { kernel: k, stream: a }
        - launchKernel: { kernel: k, stream: b }
  - deviceSynchronize
`;
const SWEEP = `schema: griddep/sweep@1
input: program.yaml
axes:
  spacing: { varies: constant.launchSpacing, relative: true, from: 0.5, to: 2, count: ${runs} }
`;
const none = () => {
  throw new Error('the sweep names no machine');
};
const sweepOf = (count: number) =>
  readSweep(SWEEP.replace(`count: ${runs}`, `count: ${count}`), {
    file: 'bench.sweep.yaml',
    program: (file) => ({ file, text: PROGRAM, parameters: ['length'] }),
    machine: none,
  });
const sweep = sweepOf(runs);
/** Threads load and compile before they are measured. */
const WARM_UP = 200;

try {
  const [one, two] = [await measured(1), await measured(2)];
  const overhead = (one.seconds * 1000 - one.simulating) / runs;
  console.log(
    `${runs} runs: ${one.seconds.toFixed(1)} s in one thread, ${two.seconds.toFixed(1)} s in two: ${(one.seconds / two.seconds).toFixed(2)} times as quick;`,
    `beside its ${(one.simulating / runs).toFixed(2)} ms of simulation a run costs ${overhead.toFixed(2)} ms`,
  );
} finally {
  rmSync(folder, { recursive: true });
}

async function measured(threads: number): Promise<{ seconds: number; simulating: number }> {
  const local = new LocalRuns(threads, sweep.texts);
  await runSweep(sweepOf(WARM_UP), local, { output: join(folder, `warm-${threads}.sqlite`) });
  const begin = performance.now();
  const { rows } = await runSweep(sweep, local, { output: join(folder, `${threads}.sqlite`) });
  const seconds = (performance.now() - begin) / 1000;
  await local.close();
  return { seconds, simulating: rows.reduce((sum, { duration }) => sum + duration, 0) };
}
