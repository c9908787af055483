import { machineByName } from '@griddep/machine';
import { buildScenario } from '@griddep/program';
import { type Interval, simulate } from '@griddep/simulator';
import { expect, it } from 'vitest';
import { IntervalRows, IntervalTable, type RunBegun, TABLE_START } from './interval-table.ts';
import { Store } from './store.ts';

const intervals: Interval[] = [];
const timeline = simulate(buildScenario('decode-chain', { layers: '3' }), machineByName('h200'), {
  onIntervals: (batch) => intervals.push(...batch),
});
const { program, machine, devices } = timeline;
const begun: RunBegun = { title: 'a', program, machine, devices };

it.each([1, 7, 1000])(
  'a table that travels in parts of %i rows while it grows is the same at the other end',
  (most) => {
    const table = new IntervalTable();
    const rows = new IntervalRows();
    let at = TABLE_START;
    const send = () => {
      const { bytes, next } = table.part(at, most);
      rows.append(bytes);
      at = next;
    };
    for (const [i, { operation }] of intervals.entries()) {
      table.add({ ...operation, id: i % 5 === 0 ? `é${i}` : '' });
      if (i % 3 === 0) send();
    }
    while (rows.rows < table.rows) send();
    const store = new Store(rows.columns(begun));
    expect(store.timeline()).toEqual({
      program,
      machine,
      devices,
      hostTotal: Number.NaN,
      basis: [],
      stuck: [],
      errors: [],
      operations: intervals.map(({ operation: { waits: _, slowdown: __, ...operation } }, i) => {
        return { ...operation, id: i % 5 === 0 ? `é${i}` : '', waits: [], slowdown: [] };
      }),
    });
  },
);
