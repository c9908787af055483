import { carriedCases, EXPORTED_FILES } from '@griddep/hardware/cases';
import { checkHazards } from '@griddep/insight';
import { machineByName } from '@griddep/machine';
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
});
