import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { LocalRuns } from './local/local-runs.ts';
import { runSweep } from './run-sweep.ts';
import { shippedSweeps } from './shipped.ts';
import type { Row } from './store/store.ts';
import { shipped, temporaryFolder } from './sweep.fixture.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const folder = temporaryFolder();
afterAll(() => folder.remove());

async function rowsOf(name: string, replace: Readonly<Record<string, string>> = {}): Promise<readonly Row[]> {
  const sweep = shipped(name, replace);
  const runs = new LocalRuns(2, sweep.texts);
  try {
    return (await runSweep(sweep, runs, { output: folder.file(`${name}.db`) })).rows;
  } finally {
    await runs.close();
  }
}

/** The recorded value where the parameters are these. */
function at(rows: readonly Row[], parameters: Row['parameters'], name: string): number {
  const row = rows.find((each) => Object.entries(parameters).every(([key, value]) => each.parameters[key] === value));
  expect(row?.error).toBe(undefined);
  return Number(row?.recorded[name]);
}

describe('pdl-map', () => {
  let rows: readonly Row[];
  beforeAll(async () => {
    rows = await rowsOf('pdl-map', { '[1, 2, 4, 8, 16, 32, 64]': '[1, 4, 16, 64]', '[2, 4, 16, 64]': '[2, 16]' });
  });

  it('1.4, 1.8 the gain grows as kernels shrink, and is never a loss', () => {
    const gains = [64, 16, 4, 1].map((length) =>
      at(rows, { length, preamble: 10, sharedMemory: 16, chain: 16 }, 'gain'),
    );
    for (let i = 1; i < gains.length; i++) expect(gains[i]).toBeGreaterThan(gains[i - 1] as number);
    for (const { recorded } of rows) expect(recorded.gain).toBeGreaterThanOrEqual(0.99);
  });

  it('1.4, 1.8 the gain grows with the length of the chain and the share of the preamble', () => {
    const gain = (preamble: number, chain: number) =>
      at(rows, { length: 4, preamble, sharedMemory: 16, chain }, 'gain');
    expect(gain(25, 16)).toBeGreaterThan(gain(25, 2));
    expect(gain(50, 16)).toBeGreaterThan(gain(25, 16));
    expect(gain(25, 16)).toBeGreaterThan(gain(0, 16));
  });

  it('1.16, 7.13 where a kernel fills the SMs, its dependent starts no work early, so the preamble gains nothing', () => {
    const gain = (preamble: number) => at(rows, { length: 64, preamble, sharedMemory: 160, chain: 16 }, 'gain');
    expect(gain(50)).toBeLessThan(1.1);
    expect(at(rows, { length: 64, preamble: 50, sharedMemory: 16, chain: 16 }, 'gain')).toBeGreaterThan(1.5);
  });
});

it('6.11 stream-plateau: more streams help up to a few, then no more; an engine for downloads helps', async () => {
  const rows = await rowsOf('stream-plateau');
  const span = (streams: number, downEngines: number) => at(rows, { streams, chunks: 32, downEngines }, 'makespan');
  expect(span(2, 1)).toBeLessThan(span(1, 1) * 0.8);
  expect(span(8, 1)).toBeGreaterThan(span(3, 1) * 0.95);
  expect(span(8, 0)).toBeGreaterThan(span(2, 0) * 0.95);
  expect(span(4, 1)).toBeLessThan(span(4, 0) * 0.8);
});

it('1.3, 1.4 trigger-position: an early trigger gains most, one at the end next to nothing of the preamble', async () => {
  const rows = await rowsOf('trigger-position');
  const gain = (trigger: number) => at(rows, { trigger, preamble: 25 }, 'gain');
  expect(gain(0)).toBeGreaterThan(gain(100) + 0.1);
  for (let trigger = 10; trigger <= 100; trigger += 10)
    expect(gain(trigger)).toBeLessThanOrEqual(gain(trigger - 10) + 0.01);
});

it('all-reduce: faster links shorten it, the more so the slower they were', async () => {
  const rows = await rowsOf('all-reduce');
  const span = (link: number, devices = 4) => at(rows, { devices, link }, 'makespan');
  expect(span(0.5)).toBeLessThan(span(0.25));
  expect(span(1)).toBeLessThan(span(0.5));
  expect(span(0.25) - span(0.5)).toBeGreaterThan(span(1) - span(2));
});

it('all-reduce: the bandwidth recorded is that of the bytes that were set', () => {
  const bandwidth = (bytes: string) =>
    Number(
      shipped('all-reduce', { 'bytes: 64MiB': `bytes: ${bytes}` }).recorded({
        parameters: { devices: 4, link: 1 },
        statistics: { makespan: 1000 },
      }).busGBps,
    );
  expect(bandwidth('64MiB')).toBe((1.5 * 2 ** 26) / 1000);
  expect(bandwidth('16KiB')).toBe((1.5 * 2 ** 14) / 1000);
});

it('5.11 queue-count: hardware queues let kernels run at once; with tiny kernels more streams than few are a loss', async () => {
  const rows = await rowsOf('queue-count');
  const value = (length: number, streams: number, queues: number, name = 'span') =>
    at(rows, { length, streams, queues }, name);
  expect(value(50, 32, 1, 'peakConcurrency')).toBeLessThan(4);
  expect(value(50, 32, 8)).toBeLessThan(value(50, 32, 1) / 4);
  expect(value(50, 32, 32)).toBeLessThan(value(50, 32, 8));
  expect(value(1, 64, 32)).toBeGreaterThan(value(1, 16, 8) * 1.1);
  expect(value(1, 64, 32)).toBeGreaterThan(value(50, 64, 32) / 5);
});

it('scaled: with as much work for each device time stays near, with as much in all it falls', async () => {
  const rows = await rowsOf('scaled', { 'values: [1, 2, 4, 8, 16, 32, 64, 128]': 'values: [1, 2]' });
  const span = (perNode: number, scaling: string, nodes = 1) => at(rows, { nodes, perNode, scaling }, 'makespan');
  expect(span(8, 'weak')).toBeLessThan(span(2, 'weak') * 1.5);
  expect(span(8, 'strong')).toBeLessThan(span(1, 'strong') / 3);
  expect(at(rows, { nodes: 2, perNode: 8, scaling: 'weak' }, 'devices')).toBe(16);
});

it('all sweeps that ship can be read', () => {
  for (const name of shippedSweeps()) expect(shipped(name).name).toBe(name);
});
