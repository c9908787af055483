// `node dist/sweep.js [--runs 10000] [--out FILE] [--compare FILE]`: runs of a program of 100 operations on one core (a process
// bound to it, where `taskset` is) and in one and two threads on all cores, each into a file. Prints how much quicker two are,
// and what a run costs beside its simulation, and writes the results as JSON, which a later run is compared with. A thread
// alone is more than one core: V8 compiles and collects garbage on others meanwhile.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { LocalRuns, readSweep, runSweep } from '@griddep/sweep';
import { comparison, header, rows } from './report.ts';
import { describeMachine, readResults, writeResults } from './result-file.ts';
import { type MeasuredSweep, ratioLines, sweepMeasurements } from './sweep-measurements.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10000' },
    out: { type: 'string', default: fileURLToPath(new URL('../results/sweep.json', import.meta.url)) },
    compare: { type: 'string' },
    /** Measures this many threads alone, in this process. */
    threads: { type: 'string' },
  },
});
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
  if (values.threads !== undefined) console.log(JSON.stringify(await measured(Number(values.threads))));
  else report();
} finally {
  rmSync(folder, { recursive: true });
}

function report(): void {
  // Read first: the earlier run may be the file that this one overwrites.
  const earlier = values.compare === undefined ? undefined : readResults(values.compare);
  const machine = describeMachine();
  console.log(header(machine));
  const oneCore = inProcess(1, ['taskset', '-c', '0']);
  const [oneThread, twoThreads] = [inProcess(1) as MeasuredSweep, inProcess(2) as MeasuredSweep];
  const sweeps = { oneCore, oneThread, twoThreads };
  const measurements = sweepMeasurements(sweeps, runs);
  console.table(rows(measurements));
  for (const line of ratioLines(sweeps, runs)) console.log(line);
  writeResults(values.out, { ...machine, measurements });
  console.log(`written to ${values.out}`);
  if (earlier === undefined) return;
  console.log(`\ncompared with ${values.compare}: ${header(earlier)}`);
  console.table(comparison(earlier.measurements, measurements));
}

/** In a process of its own, so that none is warm from another. */
function inProcess(threads: number, before: readonly string[] = []): MeasuredSweep | undefined {
  const [command = '', ...args] = [
    ...before,
    process.execPath,
    process.argv[1] as string,
    ...['--runs', String(runs), '--threads', String(threads)],
  ];
  const { stdout, stderr, error, status } = spawnSync(command, args, { encoding: 'utf8' });
  if (error !== undefined && before.length > 0) return undefined;
  if (status !== 0) throw new Error(`${threads} threads: ${stderr}`);
  return JSON.parse(stdout) as MeasuredSweep;
}

async function measured(threads: number): Promise<MeasuredSweep> {
  const local = new LocalRuns(threads, sweep.texts);
  await runSweep(sweepOf(WARM_UP), local, { output: join(folder, `warm-${threads}.sqlite`) });
  const begin = performance.now();
  const { rows: ran } = await runSweep(sweep, local, { output: join(folder, `${threads}.sqlite`) });
  const seconds = (performance.now() - begin) / 1000;
  await local.close();
  return { seconds, simulating: ran.reduce((sum, { duration }) => sum + duration, 0) };
}
