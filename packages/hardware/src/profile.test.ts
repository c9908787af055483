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

  it.each([
    ['__proto__', /^p\.json:1:\d+: constants\.__proto__: no such name/],
    ['kernelLaunch', /^p\.json:1:\d+: duplicate key "kernelLaunch"/],
  ])('is refused where %s would be passed over in silence', (name, message) => {
    const text = file({ kernelLaunch: constant }).replace('{"kernel', `{"${name}":{"value":1},"kernel`);
    expect(() => readProfile(text, 'p.json')).toThrow(message);
  });

  it('is not for another device, unless that is meant', () => {
    const [profile, other] = [readProfile(file({ kernelLaunch: constant }), 'p'), machineByName('rtx4090')];
    expect(() => withProfile(other, profile)).toThrow('the profile was fitted to h200, the machine has rtx4090');
    expect(withProfile(other, profile, { otherDevice: true }).devices[0]?.timing.kernelLaunch.value).toBe(1000);
  });

  it('names the machine that it began with', () => {
    const own = { ...H200, name: 'mine' };
    const { device, machine } = profileOf(calibrate([], own), { rounds: 1, measuredBy: [] });
    expect({ device, machine }).toEqual({ device: 'h200', machine: 'mine' });
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
