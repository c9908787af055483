import { carriedCases, EXPORTED_FILES } from '@griddep/hardware/cases';
import { checkHazards, withSimulatedTimes } from '@griddep/insight';
import { machineByName } from '@griddep/machine';
import { simulate } from '@griddep/simulator';
import { describe, expect, it } from 'vitest';

const h200 = machineByName('h200');
const cases = carriedCases(EXPORTED_FILES)
  .flatMap((group) => group.cases)
  .filter(({ name }) => /^(random|hand-over)-/.test(name));

describe('what exported programs read on an H200', () => {
  const judged = cases.map(({ name, program, operations }) => ({
    name,
    verdict: checkHazards(program, h200, { assume: 'contract' }).verdict,
    stale: operations.some((o) => o.stale > 0),
  }));

  it('2.2 was never stale where the check calls the program safe', () => {
    const safe = judged.filter(({ verdict }) => verdict === 'safe');
    expect(safe.length).toBeGreaterThan(15);
    expect(safe.filter(({ stale }) => stale)).toEqual([]);
  });

  it('2.2 was stale in programs whose races nothing hides', () => {
    const stale = judged.filter((one) => one.stale).map(({ name }) => name);
    expect(stale).toEqual(
      expect.arrayContaining([
        'hand-over-no-wait',
        'hand-over-stored-after-trigger-read-before-wait',
        'hand-over-no-event',
      ]),
    );
    expect(stale.length).toBeGreaterThan(6);
  });

  it('2.2 was stale just where a simulated run has a read before the write that it races with', async () => {
    // Delays between calls at random show more, as they should.
    const undelayed = carriedCases(['exported-data']).flatMap((group) => group.cases);
    const told = await Promise.all(
      undelayed.map(async ({ name, program, operations }) => {
        const judged = checkHazards(program, h200, { assume: 'contract' });
        const { findings } = await withSimulatedTimes(judged, program, async (named) => simulate(named, h200));
        const shows = findings.some(
          ({ accesses: [first, second], simulatedGapNs = 0 }) =>
            first?.mode === 'write' && second?.mode === 'read' && simulatedGapNs < 0,
        );
        return { name, shows, stale: operations.some((o) => o.stale > 0) };
      }),
    );
    expect(told.filter(({ stale }) => stale).length).toBeGreaterThan(6);
    expect(told.filter(({ shows, stale }) => shows !== stale)).toEqual([]);
  });
});
