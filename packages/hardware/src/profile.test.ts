import { machineByName } from '@griddep/machine';
import { describe, expect, it } from 'vitest';
import { calibrate } from './calibration/calibrate.ts';
import { profileOf } from './calibration/profile-of.ts';
import { readProfile, withProfile } from './profile.ts';

const H200 = machineByName('h200');
const constant = { value: 1000, unit: 'ns', status: 'measured', source: 'a test' };
const file = (constants: object) => JSON.stringify({ schema: 'griddep/profile@1', device: 'h200', constants });

describe('a profile', () => {
  it('replaces the constants it has, of all devices and the host', () => {
    const machine = withProfile(
      machineByName('h200x2'),
      readProfile(file({ kernelLaunch: constant, launchKernel: constant }), 'p'),
    );
    expect(machine.devices.map((device) => device.timing.kernelLaunch.value)).toEqual([1000, 1000]);
    expect(machine.host.timing.launchKernel.value).toBe(1000);
    expect(machine.host.timing.memset).toEqual(H200.host.timing.memset);
  });

  it('is refused with the nearest name when no machine has a constant', () => {
    expect(() => readProfile(file({ kernelLunch: constant }), 'p.json')).toThrow(
      /p\.json: constants\.kernelLunch.*kernelLaunch/,
    );
    expect(() => readProfile('{"schema":"griddep/machine@1"}', 'p.json')).toThrow(/^p\.json:1:\d+: schema/);
  });

  it('that nothing was fitted to is the machine it began with', () => {
    const calibration = calibrate([], H200);
    const text = JSON.stringify(profileOf(calibration, { rounds: 1, measuredBy: [] }));
    expect(withProfile(H200, readProfile(text, 'p'))).toEqual(H200);
    expect(calibration.kept.find(({ constant: name }) => name === 'kernelLaunch')?.reason).toMatch(
      /^no case of the fit part/,
    );
  });
});
