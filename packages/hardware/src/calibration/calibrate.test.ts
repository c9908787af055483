import { type DeviceTimingName, machineByName } from '@griddep/machine';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prepareCases } from '../case-group.ts';
import { carriedCases } from '../cases.ts';
import { changedMachine } from '../machine-change.ts';
import { measuredOn } from '../measured.fixture.ts';
import { partOf } from '../split.ts';
import { AREAS } from './areas.ts';
import { calibrate } from './calibrate.ts';

const H200 = machineByName('h200');
const CASES = prepareCases(carriedCases(['calib1']), H200, 'environment');
const SEARCHED = AREAS.flatMap(({ searched }) => searched);

describe('calibrate', () => {
  const recovered: [DeviceTimingName, number][] = [
    ['kernelLaunch', 0.82],
    ['programmaticLaunch', 0.82],
    ['kernelLaunchGraph', 0.82],
    // Below this the issue of instructions bounds an iteration, and nothing shows its own length.
    ['fmaIteration', 0.91],
    ['copyUpBandwidth', 0.82],
    ['timingRecord', 0.82],
  ];
  it.each(recovered)('recovers %s from cases that were simulated with it', { timeout: 60_000 }, (constant, least) => {
    const pattern = SEARCHED.find((each) => each.constant === constant)?.cases ?? /^$/;
    const cases = CASES.filter(({ measured }) => pattern.test(measured.name));
    const base = H200.devices[0]?.timing[constant].value ?? Number.NaN;
    fc.assert(
      fc.property(fc.double({ min: least, max: 1.2, noNaN: true }), (factor) => {
        const truth = base * factor;
        const hidden = changedMachine(H200, { device: { [constant]: truth } });
        const measured = cases.map((each) => measuredOn(hidden, each));
        const { fitted } = calibrate(measured, H200, { only: [constant], rounds: 1 });
        expect(Math.abs((fitted[0]?.value ?? 0) - truth) / truth).toBeLessThan(0.02);
      }),
      { numRuns: 4, seed: 1 },
    );
  });

  it('looks at no case outside the fit part', () => {
    const outside = CASES.filter(({ measured }) => partOf(measured.name) !== 'fit');
    const { fitted, cases } = calibrate(outside, H200, { rounds: 1 });
    expect(cases).toBe(0);
    expect(fitted).toEqual([]);
  });

  it('gives the same result again', () => {
    const run = () => calibrate(CASES, H200, { only: ['timingRecord', 'launchKernel'], rounds: 2 }).fitted;
    expect(run()).toEqual(run());
  });
});
