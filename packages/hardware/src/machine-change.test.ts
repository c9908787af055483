import { machineByName } from '@griddep/machine';
import { describe, expect, it } from 'vitest';
import { changedMachine } from './machine-change.ts';

describe('changedMachine', () => {
  it('changes all devices, and leaves one object what was one', () => {
    const { devices } = changedMachine(machineByName('h200x4096'), { device: { kernelLaunch: 1 } });
    expect(new Set(devices).size).toBe(1);
    expect(devices[4095]?.timing.kernelLaunch.value).toBe(1);
  });

  it('keeps different devices apart', () => {
    const [h200, a100] = [machineByName('h200'), machineByName('a100')];
    const { devices } = changedMachine({ ...h200, devices: [...h200.devices, ...a100.devices] }, { device: {} });
    expect(devices.map(({ name }) => name)).toEqual(['h200', 'a100']);
  });
});
