import { type DeviceTimingName, machineByName } from '@griddep/machine';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PreparedCase, prepareCases } from '../case-group.ts';
import { carriedCases } from '../cases.ts';
import { changedMachine } from '../machine-change.ts';
import { measuredOn } from '../measured.fixture.ts';
import { partOf } from '../split.ts';
import { AREAS } from './areas.ts';
import { calibrate } from './calibrate.ts';
import type { Area, Searched } from './isolation.ts';

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

  describe('keeps a constant, with the reason', () => {
    const [base] = CASES.filter(({ measured }) => measured.name === 'gap-plain-stream-1x256') as [PreparedCase];
    const area = (searched: Searched): Area => ({ area: 'test', searched: [searched] });
    const kernelLaunch = { constant: 'kernelLaunch', cases: /./ } as const;
    const keptOf = (measured: object, searched: Searched = kernelLaunch, from = base) => {
      const prepared: PreparedCase = { ...from, measured: { ...from.measured, ...measured } };
      const only = [searched.constant];
      const result = calibrate([prepared], H200, { rounds: 1, only, areas: [area(searched)] });
      expect(result.fitted).toEqual([]);
      expect(result.machine).toEqual(H200);
      return { reason: result.kept[0]?.reason, leftOut: result.leftOut };
    };

    it('where nothing was measured', () => {
      const { reason, leftOut } = keptOf({ operations: [] });
      expect(reason).toMatch(/^none of its 1 cases can be compared: gap-plain-stream-1x256: nothing measured; /);
      expect(leftOut).toEqual([{ name: base.measured.name, refused: 'nothing measured', file: 'calib1' }]);
      expect(keptOf({ operations: [] }, { ...kernelLaunch, figure: 'first start' }).reason).toMatch(/nothing measured/);
      const total = { ...kernelLaunch, figure: 'host total' } as const;
      expect(keptOf({ hostTotal: Number.NaN }, total).reason).toMatch(/the host's total was not measured/);
    });

    it('where the cases are refused', () => {
      expect(keptOf({ refused: 'stream on device 9' }).reason).toMatch(/: stream on device 9; /);
    });

    it('where the cases do not depend on it', () => {
      expect(keptOf({}, { constant: 'memsetLatency', cases: /./ }).reason).toMatch(
        /^its 1 cases are off by as much whatever it is; /,
      );
    });

    it('where no machine can have what was read off', () => {
      const readOff = [{ constant: 'launchKernel' as const, cases: /./ }];
      const calls = Array.from({ length: 8 }, () => ({ kind: 'launchKernel' as const, durationNs: 1e15 }));
      const prepared = { ...base, measured: { ...base.measured, calls } };
      const { fitted, kept, machine } = calibrate([prepared], H200, {
        areas: [{ area: 'test', searched: [], readOff }],
      });
      expect(fitted).toEqual([]);
      expect(machine).toEqual(H200);
      expect(kept.find(({ constant }) => constant === 'launchKernel')?.reason).toMatch(
        /^what 1 cases give must be at most/,
      );
    });
  });

  it('gives the same result again', () => {
    const run = () => calibrate(CASES, H200, { only: ['timingRecord', 'launchKernel'], rounds: 2 }).fitted;
    expect(run()).toEqual(run());
  });
});
