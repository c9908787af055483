import { machineByName } from '@griddep/machine';
import { describe, expect, it } from 'vitest';
import { prepareCases } from './case-group.ts';
import { CARRIED_SEVERAL_DEVICES, carriedCases } from './cases.ts';
import { reportOf } from './report.ts';
import { isRefused } from './simulate-case.ts';
import { partOf } from './split.ts';
import { summarize } from './summary.ts';
import { validateCases } from './validate.ts';

const H200 = machineByName('h200');
const results = validateCases(prepareCases(carriedCases(), H200, 'environment'), H200);
const { parts } = reportOf(results);
const figures = (part: string, kind: string) => parts.find((each) => each.part === part && each.kind === kind)?.summary;

/** A little above what the profile reaches: a change that makes these worse must be meant. */
describe('the carried cases on the H200 profile', () => {
  it('all run, but for one of which nothing was measured', () => {
    expect(results.length).toBe(636);
    const refused = 'nothing measured';
    expect(results.filter(isRefused)).toEqual([{ name: 'elapsed-empty', refused, unmeasured: true, file: 'calib1' }]);
    expect(summarize(results)).toMatchObject({ cases: 635, refused: 0, unmeasured: 1 });
  });

  it.each([
    ['held out', 'mechanism', 0.013, 0.05, 0.009, 0.96],
    ['held out', 'random program', 0.025, 0.11, 0.023, 0.945],
  ])('%s, %s: errors stay within what was reached', (part, kind, makespan, p90, placement, overlap) => {
    const summary = figures(part, kind);
    expect(summary?.makespan.median).toBeLessThan(makespan);
    expect(summary?.makespan.p90).toBeLessThan(p90);
    expect(summary?.placement.median).toBeLessThan(placement);
    expect(summary?.overlapAgreement).toBeGreaterThan(overlap);
  });

  it.each([
    ['concurrent-limit', 0.01],
    ['resident-grids', 0.01],
    ['parallel-pdl', 0.06],
    ['pdl-two', 0.06],
  ])('family %s: makespan median stays within what was reached', (family, makespan) => {
    const summary = summarize(results.filter(({ name }) => name.startsWith(family)));
    expect(summary.makespan.median).toBeLessThan(makespan);
  });

  it.each([
    ['decode', 0.012, 0.02, 0.007, 0.995],
    ['pack', 0.02, 0.06, 0.02, 0.9],
  ])('judge, %s: errors stay within what was reached', (prefix, makespan, p90, placement, overlap) => {
    const summary = summarize(results.filter(({ name }) => partOf(name) === 'judge' && name.startsWith(prefix)));
    expect(summary.makespan.median).toBeLessThan(makespan);
    expect(summary.makespan.p90).toBeLessThan(p90);
    expect(summary.placement.median).toBeLessThan(placement);
    expect(summary.overlapAgreement).toBeGreaterThan(overlap);
  });
});

describe('the carried cases of several devices', () => {
  const several = validateCases(prepareCases(carriedCases(CARRIED_SEVERAL_DEVICES), H200, 'environment'), H200);

  it('all run', () => {
    expect(several.length).toBe(188);
    expect(several.filter(isRefused)).toEqual([]);
  });

  /** Makespan: median, beyond the hardware's own range median and 90th percentile; overlap. */
  it.each([
    ['fit', 0.035, 0.01, 0.075, 0.975],
    ['held out', 0.05, 0.01, 0.15, 0.965],
  ])('%s: errors stay within what was reached', (part, makespan, beyond, beyondP90, overlap) => {
    const summary = summarize(several.filter(({ name }) => partOf(name) === part));
    expect(summary.makespan.median).toBeLessThan(makespan);
    expect(summary.makespanBeyondRange.median).toBeLessThan(beyond);
    expect(summary.makespanBeyondRange.p90).toBeLessThan(beyondP90);
    expect(summary.overlapAgreement).toBeGreaterThan(overlap);
  });
});
