// `node dist/checks.js [--out FILE]` checks programs of 12,500 to 100,000 operations on eight devices, each in a process of
// its own, and prints what an operation takes: linear where the columns stay level.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { CheckPoint } from './checked-point.ts';
import { CHECKED } from './checked-program.ts';
import { header } from './report.ts';
import { describeMachine } from './result-file.ts';

const OPERATIONS = [12_500, 25_000, 50_000, 100_000];
const POINT = fileURLToPath(new URL('./check-point.js', import.meta.url));
const LATEST = fileURLToPath(new URL('../results/checks.json', import.meta.url));

const { values } = parseArgs({ options: { out: { type: 'string', default: LATEST } } });
const machine = describeMachine();
console.log(header(machine));
const points = CHECKED.flatMap((kind) => OPERATIONS.map((operations) => measured(kind, operations)));
console.table(
  points.map(({ kind, operations, verdict, cpuMs, wallMs, memoryBytes }) => ({
    program: kind,
    operations,
    verdict,
    'us of CPU an operation': ((1000 * cpuMs) / operations).toFixed(0),
    'bytes an operation': Math.round(memoryBytes / operations),
    's in all': (wallMs / 1000).toFixed(1),
  })),
);
mkdirSync(dirname(values.out), { recursive: true });
writeFileSync(values.out, `${JSON.stringify({ ...machine, points }, null, 2)}\n`);
console.log(`written to ${values.out}`);

function measured(kind: string, operations: number): CheckPoint {
  const args = ['--expose-gc', POINT, kind, String(operations)];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as CheckPoint;
}
