import { machineByName } from '@griddep/machine';
import { buildScenario } from '@griddep/program';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { applyChange, changeNames } from './job/what-if.ts';
import { LocalRuns } from './local/local-runs.ts';
import { runSweep } from './run-sweep.ts';
import { sweepOf, temporaryFolder } from './sweep.fixture.ts';

vi.setConfig({ testTimeout: 120_000 });

const folder = temporaryFolder();
afterAll(() => folder.remove());

describe('axes that ask what if', () => {
  it('vary a change of the program: a graph pays for a chain of short kernels, with PDL still more', async () => {
    const sweep = sweepOf(`schema: griddep/sweep@1
input: { scenario: decode-chain }
set: { layers: 4, mode: stream }
axes:
  graph: { varies: change.graph, values: [false, true] }
  pdl: { varies: change.pdl, values: [false, true] }
`);
    const runs = new LocalRuns(2, sweep.texts);
    const { rows } = await runSweep(sweep, runs, { output: folder.file('changes.db') });
    await runs.close();
    const makespan = (graph: boolean, pdl: boolean): number =>
      rows.find(({ parameters }) => parameters.graph === graph && parameters.pdl === pdl)?.statistics
        ?.makespan as number;
    expect(makespan(true, false)).toBeLessThan(makespan(false, false));
    expect(makespan(true, true)).toBeLessThan(makespan(true, false));
    expect(makespan(false, true)).toBeLessThan(makespan(false, false));
  });

  const before = { program: buildScenario('decode-chain', { layers: '1' }), machine: machineByName('h200') };

  it.each(changeNames())('%s refuses what it cannot take', (name) => {
    expect(() => applyChange(before, name, name === 'pdl' ? 3 : 'often')).toThrow(`change.${name}: `);
  });

  it.each(['graph', 'pdl', 'pinned'])('%s leaves everything as it is when false', (name) => {
    expect(applyChange(before, name, false)).toBe(before);
  });
});
