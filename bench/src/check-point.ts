// One point of the `checks` suite in a process of its own: `node dist/check-point.js KIND OPERATIONS` prints a JSON object.
import { checkHazards } from '@griddep/insight';
import { machineByName } from '@griddep/machine';
import { type Checked, checkedProgram } from './checked-program.ts';

const [kind = 'ordered', operations = '12500'] = process.argv.slice(2);
const program = checkedProgram(kind as Checked, Number(operations));
const machine = machineByName('h200x8');
globalThis.gc?.();
const before = process.memoryUsage().rss;
const cpu = process.cpuUsage();
const begin = performance.now();
const result = checkHazards(program, machine);
const wallMs = performance.now() - begin;
const cpuMs = process.cpuUsage(cpu).user / 1000;
const memoryBytes = Math.max(0, process.resourceUsage().maxRSS * 1024 - before);
console.log(
  JSON.stringify({
    operations: result.operations,
    verdict: result.verdict,
    wallMs,
    cpuMs,
    memoryBytes,
    kinds: result.findings.length,
  }),
);
