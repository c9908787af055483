import { machineByName } from '@griddep/machine';
import { buildScenario } from '@griddep/program';
import { simulate } from '@griddep/simulator';
import { describe, expect, it } from 'vitest';
import { columnsOf } from './columns.ts';
import { packFrame, unpackFrame } from './frame.ts';
import { Store } from './store.ts';
import { packView, unpackView } from './view-document.ts';

const timeline = simulate(buildScenario('decode-chain', { layers: '2' }), machineByName('h200'), {
  recordBlocks: true,
});

describe('timelines in columns', () => {
  it('give back the same timeline, also through bytes', () => {
    expect(new Store(columnsOf(timeline)).timeline()).toEqual(timeline);
    const run = {
      title: 'a',
      findings: [{ kind: 'hazard', text: 'x', operations: [1] }],
      columns: columnsOf(timeline),
    };
    const [first, second] = unpackView(packView([run, { ...run, title: 'b', program: '{}' }]));
    expect(first?.findings).toEqual(run.findings);
    expect(second).toMatchObject({ title: 'b', program: '{}' });
    expect(second && new Store(second.columns).timeline()).toEqual(timeline);
  });

  it('keep texts that are long or empty', () => {
    const name = `<script>${'é'.repeat(1e5)}`;
    const operations = timeline.operations.map((operation) => ({ ...operation, name, path: '' }));
    const store = new Store(columnsOf({ ...timeline, operations }));
    expect(store.name(3)).toBe(name);
    expect(store.operation(3).path).toBe('');
  });

  it('are read where the bytes do not begin at a multiple of 8', () => {
    const frame = packFrame({ a: 1 }, { x: Float64Array.of(1, Number.NaN), y: Uint8Array.of(7) });
    const moved = new Uint8Array(frame.length + 3);
    moved.set(frame, 3);
    expect(unpackFrame(moved.subarray(3))).toEqual(unpackFrame(frame));
    expect(unpackFrame(frame).columns.y).toEqual(Uint8Array.of(7));
  });
});
