// One point of the `devices` suite in a process of its own, so that its peak memory is known: prints one JSON object.
// Usage: node dist/point.js MODEL DEVICES WORKERS [NAME=VALUE]...
import { runSequential } from '@griddep/engine';
import { phold } from '@griddep/engine/examples';
import { evenShards, pholdModel } from '@griddep/engine/examples/phold';
import { runSharded } from '@griddep/engine/parallel';
import { machineByName } from '@griddep/machine';
import { buildScenario } from '@griddep/program';
import { simulateParallel, type Workers } from '@griddep/simulator/parallel';
import type { PointResult } from './points.ts';

const [model = '', count = '1', how = 'sequential', ...settings] = process.argv.slice(2);
const devices = Number(count);
const workers = (/^\d+$/.test(how) ? Number(how) : how) as Workers;
const begin = performance.now();
const done = model === 'phold' ? await pholdPoint() : await scenarioPoint();
const result: PointResult = { ...done, memoryMb: Math.round(process.resourceUsage().maxRSS / 1024) };
console.log(JSON.stringify(result));

/** Each device stands for 64 processes. */
async function pholdPoint(): Promise<Omit<PointResult, 'memoryMb'>> {
  const actors = Math.min(64 * devices, 16_384);
  const options = { actors, end: Math.round(2_000_000_000 / actors) };
  const shards = workers === 'sequential' ? 1 : workers === 'per-device' ? devices : Number(workers);
  const run =
    shards === 1
      ? runSequential(phold(options))
      : await runSharded(pholdModel(options), { shards: evenShards(actors, shards) });
  return { buildMs: 0, wallMs: performance.now() - begin, events: run.events, messages: run.messages };
}

async function scenarioPoint(): Promise<Omit<PointResult, 'memoryMb'>> {
  const given = Object.fromEntries(settings.map((setting) => setting.split('=', 2) as [string, string]));
  const program = buildScenario(model, { ...given, devices: count });
  const machine = machineByName(devices === 1 ? 'h200' : `h200x${devices}`);
  const built = performance.now();
  const { timeline, events, messages } = await simulateParallel(program, machine, { workers });
  const problems = [...timeline.stuck, ...timeline.errors.map(({ message }) => message)];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return { buildMs: built - begin, wallMs: performance.now() - built, events, messages };
}
