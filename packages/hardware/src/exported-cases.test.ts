import { machineByName } from '@griddep/machine';
import { describe, expect, it } from 'vitest';
import { prepareCases } from './case-group.ts';
import { carriedCases, EXPORTED_FILES, EXPORTED_SEVERAL_DEVICES } from './cases.ts';
import { isRefused } from './simulate-case.ts';
import { summarize } from './summary.ts';
import { validateCases } from './validate.ts';

const h200 = machineByName('h200');
const FILES = [...EXPORTED_FILES, ...EXPORTED_SEVERAL_DEVICES] as const;
const groups = carriedCases(FILES);
const all = groups.flatMap(({ cases }) => cases);

describe('exported programs that an H200 ran', () => {
  it('name the device, its driver and the day', () => {
    for (const { measuredBy, name } of all) {
      expect(measuredBy, name).toMatch(/^NVIDIA H200, CUDA 13\d+, driver [\d.]+, \d{4}-\d\d-\d\d$/);
    }
  });

  it('are at least thirty, with graphs of all kinds of edges, programmatic chains, and data', () => {
    expect(all.length).toBeGreaterThan(150);
    const edges = new Set(
      all.flatMap(({ program }) =>
        [...program.graphs.values()].flatMap(({ edges: own }) => own.map((e) => e.fromPort)),
      ),
    );
    expect([...edges].sort()).toEqual(['default', 'launchCompletion', 'programmatic']);
    for (const start of [
      'peer-write-',
      'ring-allreduce',
      'pdl-chain-',
      'decode-chain',
      'random-stream-',
      'random-graph-',
      'launch-event-',
    ]) {
      expect(
        all.some(({ name }) => name.startsWith(start)),
        start,
      ).toBe(true);
    }
  });

  it.each(FILES)('%s: each runs in the simulation, near to what was measured', (file) => {
    const group = groups.filter(({ name }) => name === file);
    const results = validateCases(prepareCases(group, h200, 'environment'), h200);
    expect(results.filter(isRefused)).toEqual([]);
    const { makespan } = summarize(results);
    expect(makespan.median).toBeLessThan(BOUNDS[file]);
  });
});

/** Median makespan errors, rounded up; docs/validation.md says what is behind the larger ones. */
const BOUNDS: Readonly<Record<(typeof FILES)[number], number>> = {
  'exported-small': 0.01,
  'exported-accesses': 0.04,
  'exported-copies': 0.04,
  'exported-data': 0.04,
  'exported-scenarios': 0.115,
  'exported-plan0': 0.01,
  'exported-plan1': 0.025,
  'exported-devices': 0.05,
};
