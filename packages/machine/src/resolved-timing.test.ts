import { describe, expect, it } from 'vitest';
import { H200 } from './profiles/h200.ts';
import { MEASURED_HOST } from './profiles/hosts.ts';
import { resolvedValue, resolveTiming } from './resolved-timing.ts';

describe('resolveTiming', () => {
  it('holds integer picoseconds, bytes per second and pure numbers', () => {
    const timing = resolveTiming(H200.timing, 'h200');
    expect(timing.kernelLaunch).toBe(H200.timing.kernelLaunch.value * 1000);
    expect(timing.fmaIteration).toBe(Math.round(H200.timing.fmaIteration.value * 1000));
    expect(timing.memoryBandwidth).toBe(H200.timing.memoryBandwidth.value);
    expect(timing.largeGrid).toBe(H200.timing.largeGrid.value);
    expect(resolvedValue({ value: 1.5, unit: 'us', status: 'assumed', source: 'test' })).toBe(1_500_000);
  });

  it('tells which constants were read, once each and apart from other objects', () => {
    const seen: string[] = [];
    const timing = resolveTiming(H200.timing, 'h200', (name, { status }) => seen.push(`${name} ${status}`));
    const other = resolveTiming(H200.timing, 'other');
    expect(timing.used()).toEqual([]);
    for (let i = 0; i < 3; i++) expect(timing.waitRelease + timing.barrier).toBeGreaterThan(0);
    expect(timing.used()).toEqual(['h200.waitRelease', 'h200.barrier']);
    expect(seen).toEqual(['h200.waitRelease measured', 'h200.barrier assumed']);
    expect(other.used()).toEqual([]);
  });

  it('resolves a host as well', () => {
    const host = resolveTiming(MEASURED_HOST.timing, 'host');
    expect(host.launchKernel).toBe(3_330_000);
    expect(host.used()).toEqual(['host.launchKernel']);
  });
});
