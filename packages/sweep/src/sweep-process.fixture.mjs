// A sweep in a process of its own, to be killed: `node sweep-process.fixture.mjs SWEEP_FILE RESULTS`.
import { readFileSync } from 'node:fs';
import { LocalRuns, readSweep, runSweep } from '@griddep/sweep';

const [file, output] = process.argv.slice(2);
const none = () => {
  throw new Error('the sweep names no file');
};
const sweep = readSweep(readFileSync(file, 'utf8'), { file, program: none, machine: none });
const runs = new LocalRuns(2, sweep.texts);
console.log('begins');
await runSweep(sweep, runs, { output, resume: true });
await runs.close();
