import { machineByName } from '@griddep/machine';
import { afterAll, expect, it, vi } from 'vitest';
import { LocalRuns } from './local/local-runs.ts';
import { bestOf, budgets } from './minimise.ts';
import { runSweep } from './run-sweep.ts';
import { uncertain } from './sensitivity/points.ts';
import { sensitivitySummary } from './sensitivity/summary.ts';
import { renderPlot } from './show/plot.ts';
import { sweepOf, temporaryFolder } from './sweep.fixture.ts';

vi.setConfig({ testTimeout: 120_000 });

const folder = temporaryFolder();
afterAll(() => folder.remove());

async function run(text: string, name: string) {
  const sweep = sweepOf(text);
  const runs = new LocalRuns(2, sweep.texts);
  const result = await runSweep(sweep, runs, { output: folder.file(name) });
  await runs.close();
  return { sweep, ...result };
}

const PIPELINE = `schema: griddep/sweep@1
input: { scenario: chunked-pipeline }
set: { bytes: 1MiB }
axes:
  streams: [1, 2, 3, 4, 8, 16]
`;

it('successive halving ends where running everything does, with fewer long runs', async () => {
  const { rows: all } = await run(`${PIPELINE}  chunks: [32]\n`, 'all.db');
  const least = Math.min(...all.map(({ statistics }) => statistics?.makespan as number));
  const { rows, sweep } = await run(
    `${PIPELINE}minimise: { budget: chunks, from: 4, to: 32, keep: 0.5 }\n`,
    'halved.db',
  );
  const best = sweep.minimise === undefined ? undefined : bestOf(rows, sweep.minimise);
  expect(best?.statistics?.makespan).toBeLessThanOrEqual(least * 1.01);
  const counts = [4, 8, 16, 32].map((chunks) => rows.filter(({ parameters }) => parameters.chunks === chunks).length);
  expect(counts).toEqual([6, 3, 2, 1]);
});

it('budgets grow by what is left out, and end at the whole', () => {
  expect(budgets({ from: 4, to: 32, keep: 0.5 })).toEqual([4, 8, 16, 32]);
  expect(budgets({ from: 1, to: 10, keep: 1 / 3 })).toEqual([1, 3, 9, 10]);
  expect(budgets({ from: 7, to: 7, keep: 0.5 })).toEqual([7]);
});

it('sensitivity: the constants a program uses move it, those it does not use are not asked, and samples give bounds', async () => {
  const { rows } = await run(
    'schema: griddep/sweep@1\ninput: { scenario: chunked-pipeline }\nset: { streams: 3, chunks: 8, bytes: 16MiB }\nsensitivity: { samples: 20, seed: 3 }\n',
    'sensitivity.db',
  );
  expect(rows.filter(({ error }) => error !== undefined)).toEqual([]);
  const summary = sensitivitySummary(rows);
  const names = summary?.effects.map(({ constant }) => constant) ?? [];
  expect(names).toContain('copyUpBandwidth');
  expect(names).not.toContain('graphLaunch');
  const bandwidth = summary?.effects.find(({ constant }) => constant === 'copyUpBandwidth');
  expect(bandwidth?.low).toBeGreaterThan(bandwidth?.high as number);
  const [low, high] = summary?.interval ?? [0, 0];
  expect(low).toBeLessThan(high);
  const svg = await renderPlot(rows, { kind: 'tornado' });
  expect(svg).toContain('copyUpBandwidth');
});

it('links of several devices are asked as well', () => {
  const used = ['link.latency', 'network.latency', 'h200.kernelLaunch'];
  expect(uncertain(machineByName('h200x2'), used)).toMatchObject([
    { kind: 'constant', name: 'kernelLaunch' },
    { kind: 'link', name: 'latency' },
  ]);
  expect(uncertain(machineByName('h200x2x2'), used)).toMatchObject([
    { kind: 'constant', name: 'kernelLaunch' },
    { kind: 'link', name: 'latency' },
    { kind: 'link', name: 'networkLatency' },
  ]);
});
