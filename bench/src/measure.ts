import { Bench } from 'tinybench';
import type { BenchGroup, BenchSuite, Measurement } from './suite.ts';

const WARM_UP_MS = 250;
const TIME_MS = 500;
const LEAST_SAMPLES = 8;
const WARM_UPS = 3;

/** Measures the cases of a group one after another in this process. @throws what a case throws. */
export async function measureGroup(suite: BenchSuite, group: BenchGroup): Promise<Measurement[]> {
  const bench = new Bench({
    name: `${suite.name}/${group.name}`,
    time: group.time ?? TIME_MS,
    iterations: group.samples ?? LEAST_SAMPLES,
    warmupTime: WARM_UP_MS,
    warmupIterations: Math.min(WARM_UPS, group.samples ?? WARM_UPS),
    throws: true,
  });
  for (const { name, run } of group.cases) bench.add(name, run);
  await bench.run();
  let base: number | undefined;
  return group.cases.map(({ name, items }): Measurement => {
    const result = bench.getTask(name)?.result;
    if (result?.state !== 'completed') throw new Error(`${bench.name}: "${name}" was not completed`);
    const { p50, rme, samplesCount } = result.latency;
    const rate = (items / p50) * 1000;
    base ??= rate;
    const target = suite.target === undefined ? {} : { target: suite.target };
    const identity = { suite: suite.name, group: group.name, case: name, unit: suite.unit };
    return { ...identity, rate, ratio: rate / base, spread: rme, samples: samplesCount, ...target };
  });
}
