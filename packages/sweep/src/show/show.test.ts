import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { LocalRuns } from '../local/local-runs.ts';
import { runSweep } from '../run-sweep.ts';
import type { Row } from '../store/store.ts';
import { sweepOf, temporaryFolder } from '../sweep.fixture.ts';
import { columnsOf } from './columns.ts';
import { toCsv } from './csv.ts';
import { paretoFront } from './pareto.ts';
import { toParquet } from './parquet.ts';
import { renderPlot } from './plot.ts';
import { toTable } from './table.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const folder = temporaryFolder();
afterAll(() => folder.remove());
let rows: readonly Row[];

beforeAll(async () => {
  const sweep = sweepOf(`schema: griddep/sweep@1
input: { scenario: fork-join }
axes:
  branches: [1, 2, 4]
  pdl: [true, false]
  mode: [stream, graph]
`);
  const runs = new LocalRuns(2, sweep.texts);
  ({ rows } = await runSweep(sweep, runs, { output: folder.file('show.db') }));
  await runs.close();
});

it('a table has a line of names and one a run', () => {
  const lines = toTable(columnsOf(rows)).trimEnd().split('\n');
  expect(lines[0]).toMatch(/^branches +pdl +mode +makespan$/);
  expect(lines[1]).toMatch(/^ +1 +true +stream +\d+(\.\d+)?$/);
  expect(lines).toHaveLength(13);
});

it('CSV has every column, and no cell that a spreadsheet would run', () => {
  const [head, first] = toCsv(columnsOf(rows, { all: true })).split('\n');
  expect(head).toContain('branches,pdl,mode,makespan,hostTotal');
  expect(first).toMatch(/^1,true,stream,\d/);
  expect(toCsv([{ name: 'error', values: ['=1+1', 'a,"b"'] }])).toBe(`error\n'=1+1\n"a,""b"""\n`);
});

it('Parquet is read back as it was, by its types', async () => {
  const bytes = toParquet(columnsOf(rows, { all: true }));
  const read = await parquetReadObjects({ file: bytes.slice().buffer });
  expect(read).toHaveLength(rows.length);
  for (const [i, row] of rows.entries()) {
    expect(read[i]).toMatchObject({
      branches: row.parameters.branches,
      pdl: row.parameters.pdl,
      mode: row.parameters.mode,
    });
    expect(read[i]).toMatchObject({ makespan: row.statistics?.makespan, hash: row.hash });
  }
});

it('lines, a heat map and a Pareto front are SVG with the names and values in it', async () => {
  const line = await renderPlot(rows, { kind: 'line', x: 'branches', y: 'makespan', series: 'pdl', facet: 'mode' });
  expect(line).toMatch(/^<svg /);
  for (const text of ['branches', 'makespan', 'mode graph', 'mode stream', 'true', 'false'])
    expect(line).toContain(text);
  const map = await renderPlot(rows, { kind: 'heatmap', x: 'branches', y: 'mode', value: 'makespan' });
  expect(map.match(/aria-roledescription="rect mark"/g)?.length).toBe(6);
  const pareto = await renderPlot(rows, { kind: 'pareto', x: 'makespan', y: 'hostTotal' });
  expect(pareto).toContain('hostTotal');
  expect(await renderPlot(rows, { kind: 'line', x: 'branches', y: 'makespan' })).toBe(
    await renderPlot(rows, { kind: 'line', x: 'branches', y: 'makespan' }),
  );
});

it('a name with a dot is a name, not a path', async () => {
  const named = rows.map((row) => ({
    ...row,
    recorded: { ...row.recorded, 'gain * 1.5': (row.statistics?.makespan ?? 0) * 1.5 },
  }));
  const marks = async (y: string): Promise<string[]> => {
    const svg = await renderPlot(named, { kind: 'line', x: 'branches', y });
    return [...svg.matchAll(/aria-label="[^"]*: ([\d.,]+)"/g)].map(([, value]) => value as string);
  };
  const dotted = await marks('gain * 1.5');
  expect(dotted.length).toBeGreaterThan(0);
  expect(dotted).not.toEqual(await marks('makespan'));
});

it('a name that no column bears is told with the nearest', async () => {
  await expect(renderPlot(rows, { kind: 'line', x: 'branchs', y: 'makespan' })).rejects.toThrow(
    'did you mean "branches"?',
  );
  await expect(renderPlot(rows, { kind: 'line', x: 'branches' })).rejects.toThrow('the plot needs --y');
  await expect(renderPlot(rows, { kind: 'tornado' })).rejects.toThrow('results of a sensitivity');
  await expect(renderPlot([], { kind: 'line', x: 'a', y: 'b' })).rejects.toThrow('no result to draw');
});

it('a Pareto front holds what nothing beats in both', () => {
  const entries = [
    { a: 3, b: 1 },
    { a: 1, b: 3 },
    { a: 2, b: 2 },
    { a: 2, b: 4 },
    { a: 3, b: 3 },
  ];
  expect(paretoFront(entries, 'a', 'b')).toEqual([
    { a: 1, b: 3 },
    { a: 2, b: 2 },
    { a: 3, b: 1 },
  ]);
});
