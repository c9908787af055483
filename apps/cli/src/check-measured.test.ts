import { carriedCases } from '@griddep/hardware/cases';
import { checkHazards } from '@griddep/insight';
import { machineByName } from '@griddep/machine';
import { describe, expect, it } from 'vitest';

const h200 = machineByName('h200');
const cases = carriedCases()
  .flatMap((group) => group.cases)
  .filter(({ program }) => program.buffers.has('slots'));
const named = (start: string) => cases.filter(({ name }) => name.startsWith(start));
const races = (program: Parameters<typeof checkHazards>[0], assume: 'contract' | 'hardware' | 'strict' = 'contract') =>
  checkHazards(program, h200, { assume }).findings.filter(({ verdict }) => verdict === 'race');

describe('what an H200 was seen to do', () => {
  it('2.2 finds a race wherever the H200 read something stale, hidden by nothing', () => {
    const stale = cases.filter(({ operations }) => operations.some((o) => o.stale > 0));
    expect(stale.length).toBeGreaterThan(1);
    for (const { name, program, operations } of stale) {
      const reader = operations.find((o) => o.stale > 0)?.label;
      for (const assume of ['contract', 'hardware', 'strict'] as const) {
        const found = races(program, assume).filter(({ accesses }) => accesses[1]?.place.name === reader);
        expect(found, `${name} ${assume}`).not.toHaveLength(0);
        expect(
          found.some(({ hiddenByHardware }) => !hiddenByHardware),
          name,
        ).toBe(true);
      }
    }
  });

  it('1.8 finds none where every reader waits, and one where the write before the trigger is read without a wait', () => {
    const verdicts = named('visibility-').map(({ name, program }) => [name, races(program).map(({ kind }) => kind)]);
    expect(Object.fromEntries(verdicts)).toEqual({
      'visibility-post-trigger-write-no-wait': ['no-wait'],
      'visibility-post-trigger-write-with-wait': [],
      'visibility-pre-trigger-write-no-wait': ['no-wait'],
      'visibility-pre-trigger-write-with-wait': [],
      'visibility-read-before-wait': ['read-before-wait'],
    });
  });

  it('1.8, 9 C1 the strict reading finds the write behind the trigger also where the reader waits', () => {
    const strict = (name: string) => named(name).flatMap(({ program }) => races(program, 'strict'));
    expect(strict('visibility-post-trigger-write-with-wait').map(({ kind }) => kind)).toEqual(['after-trigger']);
    expect(strict('visibility-pre-trigger-write-with-wait')).toEqual([]);
  });

  it('1.9, 2.4 finds the transitive hazard of the contract, which the hardware hides', () => {
    for (const wait of [0, 1]) {
      const group = named(`pdl-transitive-bwait${wait}`);
      expect(group).toHaveLength(2);
      for (const { name, program } of group) {
        const found = races(program).map((f) => [f.kind, f.accesses.map((a) => a.place.name), f.hiddenByHardware]);
        expect(found, name).toEqual(wait === 0 ? [['transitive', ['a#0', 'c#2'], true]] : []);
        expect(races(program, 'hardware'), name).toEqual([]);
      }
    }
  });
});
