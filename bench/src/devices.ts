// `node dist/devices.js [--most N] [--model NAME]... [--out FILE] [--compare FILE]`: PHOLD, a ring all-reduce and a
// tensor-parallel decode on 1 to N devices, in one thread, two, and one for each device. Prints a table a model and writes
// the results as JSON, which a later run is compared with.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Point, type PointResult, runPoint } from './points.ts';
import { header } from './report.ts';
import { describeMachine } from './result-file.ts';

const DEVICES = [1, 2, 4, 8, 16, 64, 256, 1024];
/** More threads than this take minutes to start. */
const MOST_THREADS = 256;

const MODELS: Readonly<Record<string, (devices: number) => readonly string[]>> = {
  phold: () => [],
  'ring-allreduce': () => ['bytes=64MiB', 'chunkBytes=1MiB'],
  'tensor-parallel-decode': (devices) => [`layers=${devices > 64 ? 1 : 4}`, `steps=${devices > 64 ? 1 : 4}`],
};

interface Row extends Point {
  readonly result: PointResult | string;
}

const { values } = parseArgs({
  options: {
    most: { type: 'string', default: '64' },
    model: { type: 'string', multiple: true, default: Object.keys(MODELS) },
    out: { type: 'string', default: fileURLToPath(new URL('../results/devices.json', import.meta.url)) },
    compare: { type: 'string' },
  },
});
const earlier = values.compare === undefined ? [] : (JSON.parse(readFileSync(values.compare, 'utf8')).rows as Row[]);
const machine = describeMachine();
console.log(header(machine));
const rows: Row[] = [];
for (const model of values.model) {
  const settings = MODELS[model];
  if (settings === undefined) throw new Error(`no model "${model}"; there are ${Object.keys(MODELS).join(', ')}`);
  const own: Row[] = [];
  for (const devices of DEVICES.filter((n) => n <= Number(values.most))) {
    for (const workers of ways(devices)) {
      const point: Point = { model, devices, workers, settings: settings(devices) };
      own.push({ ...point, result: runPoint(point) });
    }
  }
  console.log(`\n${model}`);
  console.table(own.map((row) => line(row, own)));
  rows.push(...own);
}
writeFileSync(values.out, `${JSON.stringify({ ...machine, rows }, undefined, 1)}\n`);
console.log(`\nwritten to ${values.out}`);

function ways(devices: number): string[] {
  if (devices === 1) return ['sequential'];
  return ['sequential', '2', ...(devices > 2 && devices <= MOST_THREADS ? ['per-device'] : [])];
}

function line(row: Row, all: readonly Row[]): Record<string, string | number> {
  const { devices, workers, result } = row;
  if (typeof result === 'string') return { devices, workers, 'wall ms': result };
  const one = all.find((other) => other.devices === devices && other.workers === 'sequential')?.result;
  const before = earlier.find((e) => e.model === row.model && e.devices === devices && e.workers === workers)?.result;
  return {
    devices,
    workers,
    'wall ms': Math.round(result.wallMs),
    'events/s': Math.round(result.events / (result.wallMs / 1000)),
    events: result.events,
    'messages/event': (result.messages / result.events).toFixed(2),
    'memory MiB': result.memoryMb,
    'speed-up': typeof one === 'object' ? (one.wallMs / result.wallMs).toFixed(2) : '-',
    ...(typeof before === 'object' ? { 'before / now': (before.wallMs / result.wallMs).toFixed(2) } : {}),
  };
}
