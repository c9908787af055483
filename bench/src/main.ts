// `node dist/main.js [--only SUITE]... [--compare FILE] [--out FILE]` runs the suites, prints their tables and writes the
// results as JSON. Rates depend on the machine and its load; the ratios within one run depend on them little.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureGroup } from './measure.ts';
import { comparison, header, rows } from './report.ts';
import { describeMachine, readResults, writeResults } from './result-file.ts';
import type { Measurement } from './suite.ts';
import { SUITES } from './suites.ts';

const LATEST = fileURLToPath(new URL('../results/latest.json', import.meta.url));

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    compare: { type: 'string' },
    out: { type: 'string', default: LATEST },
  },
});
const names = SUITES.map((s) => s.name);
const unknown = values.only?.find((name) => !names.includes(name));
if (unknown !== undefined) throw new Error(`no suite "${unknown}"; there are ${names.join(', ')}`);

// Read first: the earlier run may be the file that this one overwrites.
const earlier = values.compare === undefined ? undefined : readResults(values.compare);
const machine = describeMachine();
console.log(header(machine));
const measurements: Measurement[] = [];
for (const suite of SUITES) {
  if (values.only !== undefined && !values.only.includes(suite.name)) continue;
  const measured: Measurement[] = [];
  for (const group of suite.groups()) measured.push(...(await measureGroup(suite, group)));
  console.log(`\n${suite.name}: ratio to the first case of the group`);
  console.table(rows(measured));
  measurements.push(...measured);
}
writeResults(values.out, { ...machine, measurements });
console.log(`\nwritten to ${values.out}`);
if (earlier !== undefined) {
  console.log(`\ncompared with ${values.compare}: ${header(earlier)}`);
  console.table(comparison(earlier.measurements, measurements));
}
