// `node dist/sweep.js [--runs 10000]`: runs of a program of 100 operations on one core (a process bound to it, where `taskset`
// is) and in one and two threads on all cores, each into a file. Prints how much quicker two are, and what a run costs beside its
// simulation. A thread alone is more than one core: V8 compiles and collects garbage on others meanwhile.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LocalRuns, readSweep, runSweep } from '@griddep/sweep';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '10000' }, threads: { type: 'string' } },
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

interface Measured {
  readonly seconds: number;
  readonly simulating: number;
}

try {
  if (values.threads !== undefined) console.log(JSON.stringify(await measured(Number(values.threads))));
  else report();
} finally {
  rmSync(folder, { recursive: true });
}

function report(): void {
  const core = inProcess(1, ['taskset', '-c', '0']);
  const [one, two] = [inProcess(1) as Measured, inProcess(2) as Measured];
  if (core === undefined) console.log('taskset is missing: one core is not measured');
  const lines = { 'one core': core, 'one thread': one, 'two threads': two };
  for (const [name, each] of Object.entries(lines)) {
    if (each === undefined) continue;
    const { seconds } = each;
    console.log(`${name}: ${seconds.toFixed(1)} s, two threads are ${(seconds / two.seconds).toFixed(2)} times as quick`);
  }
  const overhead = (one.seconds * 1000 - one.simulating) / runs;
  console.log(`beside its ${(one.simulating / runs).toFixed(2)} ms of simulation a run costs ${overhead.toFixed(2)} ms`);
}

/** In a process of its own, so that none is warm from another. */
function inProcess(threads: number, before: readonly string[] = []): Measured | undefined {
  const [command = '', ...args] = [
    ...before,
    process.execPath,
    process.argv[1] as string,
    ...['--runs', String(runs), '--threads', String(threads)],
  ];
  const { stdout, stderr, error, status } = spawnSync(command, args, { encoding: 'utf8' });
  if (error !== undefined && before.length > 0) return undefined;
  if (status !== 0) throw new Error(`${threads} threads: ${stderr}`);
  return JSON.parse(stdout) as Measured;
}

async function measured(threads: number): Promise<Measured> {
  const local = new LocalRuns(threads, sweep.texts);
  await runSweep(sweepOf(WARM_UP), local, { output: join(folder, `warm-${threads}.sqlite`) });
  const begin = performance.now();
  const { rows } = await runSweep(sweep, local, { output: join(folder, `${threads}.sqlite`) });
  const seconds = (performance.now() - begin) / 1000;
  await local.close();
  return { seconds, simulating: rows.reduce((sum, { duration }) => sum + duration, 0) };
}
