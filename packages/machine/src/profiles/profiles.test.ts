import { describe, expect, it } from 'vitest';
import type { Constant } from '../constant.ts';
import type { DeviceProfile } from '../machine.ts';
import { DEVICE_TIMING, HOST_TIMING } from '../timing.ts';
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

function check(
  timing: Readonly<Record<string, Constant>>,
  names: Readonly<Record<string, { readonly unit: string }>>,
): void {
  expect(Object.keys(timing)).toEqual(Object.keys(names));
  for (const [name, { value, unit, source, low = value, high = value }] of Object.entries(timing)) {
    expect(unit, name).toBe(names[name]?.unit);
    expect(Number.isFinite(value) && value >= 0, name).toBe(true);
    expect(low <= value && value <= high, `${name}: ${low} <= ${value} <= ${high}`).toBe(true);
    expect(source, name).not.toBe('');
  }
}

describe.each(DEVICES)('%s', (_, device) => {
  it('holds every timing constant once, with unit, source and spread', () => check(device.timing, DEVICE_TIMING));

  it('has consistent limits', () => {
    const { limits } = device;
    expect(limits.threadsPerSm).toBe(limits.warpsPerSm * 32);
    expect(limits.carveOuts.at(-1)).toBe(limits.sharedMemoryPerSm);
    expect([...limits.carveOuts].sort((a, b) => a - b)).toEqual(limits.carveOuts);
    expect(limits.sharedMemoryPerBlockOptIn + limits.sharedMemoryReservedPerBlock).toBe(limits.sharedMemoryPerSm);
  });

  it('calls nothing measured that was not', () => {
    const measured = Object.values(device.timing).filter((constant) => constant.status === 'measured');
    if (device === H200) expect(measured.length).toBeGreaterThan(60);
    else expect(measured).toEqual([]);
  });
});

it('holds every timing constant of the host', () => check(MEASURED_HOST.timing, HOST_TIMING));

describe('the H200', () => {
  const ns = (name: keyof typeof DEVICE_TIMING): number => H200.timing[name].value;

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

  it('splits measured sums without changing them', () => {
    expect(ns('completionFlush') + ns('kernelLaunch')).toBe(1650);
    expect(ns('completionFlushGraph') + ns('kernelLaunchGraph')).toBe(900);
    expect(ns('completionFlush') + ns('waitRelease')).toBe(480);
    expect(ns('completionFlushGraph') + ns('waitRelease')).toBe(380);
    expect(ns('commandArrival') + ns('kernelLaunch')).toBe(2800);
    expect(ns('completionFlush') + ns('progressVisible') + MEASURED_HOST.timing.synchronizeReturn.value).toBe(2680);
    expect(ns('completionFlush') + ns('eventSignal') + ns('kernelLaunch')).toBe(1800);
    expect(ns('completionFlushGraph') + ns('eventSignalGraph') + ns('kernelLaunchGraph')).toBe(960);
  });

  it.each([
    // H200 case families `kernel-copy-kernel-*`: bytes, lowest and highest measured gap in ns.
    ['copyUp', 4096, 10_880, 12_704],
    ['copyUp', 1_048_576, 28_224, 35_296],
    ['copyDown', 4096, 10_880, 11_040],
    ['copyDown', 1_048_576, 28_672, 33_856],
  ] as const)('puts the gap around %s of %d bytes between %d and %d ns', (kind, bytes, low, high) => {
    const transfer = (bytes / ns(`${kind}Bandwidth`)) * 1e9;
    const gap = ns('completionFlush') + ns('copyStart') + ns(`${kind}Latency`) + transfer + ns('copyComplete');
    expect(gap + ns('kernelLaunch')).toBeGreaterThan(0.95 * low);
    expect(gap + ns('kernelLaunch')).toBeLessThan(1.05 * high);
  });
});
