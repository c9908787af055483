import { machineByName } from '@griddep/machine';
import { simulate } from '@griddep/simulator';
import { expect, it } from 'vitest';
import { carriedCases } from './cases.ts';
import { staleReads } from './stale-reads.fixture.ts';

it('a read of the measured cases was stale on the H200 exactly where the simulated read overlaps the write', () => {
  const reading = carriedCases()
    .flatMap((group) => group.cases)
    .filter(({ program }) => program.buffers.has('slots') && reads(program));
  expect(reading.length).toBeGreaterThan(10);
  const h200 = machineByName('h200');
  for (const measured of reading) {
    const timeline = simulate(measured.program, h200);
    const stale = measured.operations.filter((o) => o.stale > 0).map((o) => o.label);
    expect(staleReads(measured.program, timeline), measured.name).toEqual(stale);
  }
});

function reads(program: { kernels: ReadonlyMap<string, { body: unknown }> }): boolean {
  return JSON.stringify([...program.kernels.values()].map((k) => k.body)).includes('"slots"');
}
