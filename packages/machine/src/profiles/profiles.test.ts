import { describe, expect, it } from 'vitest';
import type { Constant } from '../constant.ts';
import { constantProblem } from '../constant-problem.ts';
import { limitsProblem } from '../limits-problem.ts';
import type { DeviceProfile } from '../machine.ts';
import { type ConstantRule, DEVICE_TIMING, HOST_TIMING } from '../timing.ts';
import { A100 } from './a100.ts';
import { B200 } from './b200.ts';
import { H100 } from './h100.ts';
import { H200 } from './h200.ts';
import { MEASURED_HOST } from './hosts.ts';
import { RTX4090 } from './rtx4090.ts';

const DEVICES: readonly (readonly [string, DeviceProfile])[] = [A100, H100, H200, B200, RTX4090].map((device) => [
  device.name,
  device,
]);

function check(timing: Readonly<Record<string, Constant>>, names: Readonly<Record<string, ConstantRule>>): void {
  expect(Object.keys(timing)).toEqual(Object.keys(names));
  const problems = Object.entries(timing).map(([name, constant]) => [
    name,
    constantProblem(constant, names[name] as ConstantRule),
  ]);
  expect(problems.filter(([, problem]) => problem !== undefined)).toEqual([]);
}

describe.each(DEVICES)('%s', (_, device) => {
  it('holds every timing constant once, with unit, source and spread, in its range', () =>
    check(device.timing, DEVICE_TIMING));

  it('has consistent limits', () => {
    const { limits, timing } = device;
    expect(limitsProblem(limits, timing)).toBeUndefined();
    expect(limits.threadsPerSm).toBe(limits.warpsPerSm * 32);
    expect(limits.carveOuts.at(-1)).toBe(limits.sharedMemoryPerSm);
    expect([...limits.carveOuts].sort((a, b) => a - b)).toEqual(limits.carveOuts);
    expect(limits.sharedMemoryPerBlockOptIn + limits.sharedMemoryReservedPerBlock).toBe(limits.sharedMemoryPerSm);
  });

  it('calls nothing measured that was not', () => {
    const all = Object.values(device.timing);
    const measured = all.filter((constant) => constant.status === 'measured');
    if (device === H200) expect(measured.length).toBeGreaterThan(all.length / 2);
    else expect(measured).toEqual([]);
  });
});

it('holds every timing constant of the host', () => check(MEASURED_HOST.timing, HOST_TIMING));

describe('the H200', () => {
  it('has the limits the device reports', () => {
    expect(H200.limits).toMatchObject({
      sms: 132,
      sharedMemoryPerSm: 233_472,
      sharedMemoryPerBlockOptIn: 232_448,
      registersPerSm: 65_536,
      threadsPerSm: 2048,
      blocksPerSm: 32,
      l2Bytes: 62_914_560,
      priorityHighest: -5,
    });
    const { copyEnginesUp, copyEnginesDown, copyEnginesPeer } = H200.limits;
    expect(copyEnginesUp + copyEnginesDown + copyEnginesPeer).toBe(3);
  });

  it('refuses a constant outside of its own spread, in a unit of others, or without a source', () => {
    const constants = Object.values(H200.timing).filter(({ low, high }) => low !== undefined && high !== undefined);
    expect(constants.length).toBeGreaterThan(0);
    const range = { least: 0, most: Number.POSITIVE_INFINITY };
    for (const constant of constants) {
      const { low = 0, high = 0 } = constant;
      const rule = { unit: constant.unit, range };
      expect(constantProblem({ ...constant, value: low }, rule)).toBeUndefined();
      expect(constantProblem({ ...constant, value: high }, rule)).toBeUndefined();
      expect(constantProblem({ ...constant, value: high + 1 }, rule)).toMatch(/outside of its spread/);
      if (low > 0) expect(constantProblem({ ...constant, value: low / 2 }, rule)).toMatch(/outside of its spread/);
      expect(constantProblem({ ...constant, source: '' }, rule)).toBe('has no source');
      expect(constantProblem(constant, { unit: constant.unit === 'ns' ? 'B/s' : 'ns', range })).toMatch(/expected/);
    }
  });
});
