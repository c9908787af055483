import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { workFolder } from './griddep.fixture.ts';

const { griddep } = workFolder();
const fixture = (name: string) =>
  fileURLToPath(new URL(`../../../packages/importers/src/fixtures/${name}`, import.meta.url));
const json = (name: string) => JSON.parse(readFileSync(fixture(name), 'utf8')) as unknown;

interface Side {
  readonly makespanNs: number;
  readonly rangeNs: readonly [number, number];
}
interface Row {
  readonly set: 'fit' | 'judge';
  readonly what: string;
  readonly trace: readonly string[];
  readonly args: readonly string[];
  /** Names of measured times. */
  readonly before: string;
  readonly after: string;
  /** By how much the predictions may differ, as shares; null where the run itself varies too much. */
  readonly within: readonly [number | null, number];
}

// What the same work took without a profiler, between two events, on an H200: a step by itself, medians.
const { us } = json('unprofiled.json') as { us: Readonly<Record<string, { readonly gpuUs: number }>> };
const rows = (json('measure/comparisons.json') as readonly Row[]).filter(({ set }) => set === 'fit');

function whatif({ trace, args }: Pick<Row, 'trace' | 'args'>, ...more: string[]) {
  const files = trace.map((name) => fixture(`${name}.json.gz`)).join();
  const { code, stdout, stderr } = griddep([
    'whatif',
    files,
    ...args,
    '--steps',
    '2',
    '--step',
    '2',
    '--json',
    ...more,
  ]);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as { readonly before: Side; readonly after: Side };
}

const off = ({ makespanNs }: Side, name: string) => Math.abs(makespanNs / 1000 / (us[name]?.gpuUs ?? Number.NaN) - 1);

describe('with costs of the profiler that were derived from these runs', { timeout: 60_000 }, () => {
  it.each(rows.map((row) => [`${row.what} ${row.args.join(' ')}`, row] as const))('%s', (_, row) => {
    const { before, after } = whatif(row, '--no-ranges');
    const [atMostBefore, atMost] = row.within;
    if (atMostBefore !== null) expect(off(before, row.before)).toBeLessThan(atMostBefore);
    expect(off(after, row.after)).toBeLessThan(atMost);
  });

  // With `--pdl` alone, waits and triggers may be anywhere that was assumed.
  it.each(
    rows.filter(({ trace }) => trace.length === 1).map((row) => [`${row.what} ${row.args.join(' ')}`, row] as const),
  )('on one device the ranges hold what was measured: %s', (_, row) => {
    const { before, after } = whatif(row);
    for (const [side, name] of [
      [before, row.before],
      [after, row.after],
    ] as const) {
      const truth = (us[name]?.gpuUs ?? Number.NaN) * 1000;
      expect(side.rangeNs[0]).toBeLessThan(truth);
      expect(side.rangeNs[1]).toBeGreaterThan(truth);
    }
  });

  it.each([512, 2048])('with the places of waits from PTX, width %i: within 4 %', (width) => {
    const files = ['scale', 'dot'].map((kernel) => fixture(`${kernel}-${width}-pdl.ptx`)).join();
    const trace = [`scale-dot-${width}-plain-graph`];
    const { after } = whatif({ trace, args: ['--pdl', 'all', '--ptx', files] }, '--no-ranges');
    expect(off(after, `scale-dot-${width}-pdl-graph`)).toBeLessThan(0.04);
  });

  it.each([
    ['adds-1', 0.03],
    ['adds-16', 0.03],
    ['adds-64', 0.08],
    ['decode-2048-graph', 0.02],
    ['decode-256-graph', 0.02],
  ])('the graph of %s as it is, within %d', (name, atMost) => {
    const { before } = whatif({ trace: [name], args: ['--copy-engines', '4'] }, '--no-ranges');
    expect(off(before, name)).toBeLessThan(atMost);
  });
});

describe('--steps', { timeout: 60_000 }, () => {
  const trace = fixture('scale-dot-512-plain-eager.json.gz');
  const steps = (...args: string[]) => griddep(['whatif', trace, '--graph', '--no-ranges', ...args]);

  it('divides what a trace launches into so many equal steps', () => {
    const answer = (...args: string[]) =>
      JSON.parse(steps('--json', ...args).stdout) as { steps: number; after: { perStepNs: number } };
    const [marked, two] = [answer(), answer('--steps', '2')];
    expect([marked.steps, two.steps]).toEqual([1, 2]);
    expect(two.after.perStepNs / marked.after.perStepNs).toBeCloseTo(0.5, 1);
  });

  it.each([
    [['--steps', '5'], /does not hold 5 equal steps: what it launches repeats 32 times/],
    [['--steps', '2', '--step', '3'], /has no step 3: it has 1 to 2/],
  ])('%j: one message, exit status 2', (args, message) => {
    const { code, stdout, stderr } = steps(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
