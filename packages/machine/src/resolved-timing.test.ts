import { describe, expect, it } from 'vitest';
import { H200 } from './profiles/h200.ts';
import { MEASURED_HOST } from './profiles/hosts.ts';
import { resolvedValue, resolveTiming } from './resolved-timing.ts';

const device = Object.keys(H200.timing) as (keyof typeof H200.timing)[];
const host = Object.keys(MEASURED_HOST.timing) as (keyof typeof MEASURED_HOST.timing)[];

describe('resolveTiming', () => {
  it('holds integer picoseconds, bytes per second and pure numbers', () => {
    const timing = resolveTiming(H200.timing, 'h200');
    for (const name of device) {
      const { value, unit } = H200.timing[name];
      const factor = { ns: 1e3, us: 1e6, 'B/s': undefined, '1': undefined }[unit];
      expect(timing[name], name).toBe(factor === undefined ? value : Math.round(value * factor));
    }
    expect(resolvedValue({ value: 1.5, unit: 'us', status: 'assumed', source: 'test' })).toBe(1_500_000);
  });

  it('tells which constants were read, once each and apart from other objects', () => {
    const [first, second] = [device[3], device[1]] as [keyof typeof H200.timing, keyof typeof H200.timing];
    const seen: string[] = [];
    const timing = resolveTiming(H200.timing, 'h200', (name, { status }) => seen.push(`${name} ${status}`));
    const other = resolveTiming(H200.timing, 'other');
    expect(timing.used()).toEqual([]);
    for (let i = 0; i < 3; i++) expect(timing[first] + timing[second]).toBeGreaterThanOrEqual(0);
    expect(timing.used()).toEqual([`h200.${second}`, `h200.${first}`]);
    expect(seen).toEqual([first, second].map((name) => `h200.${name} ${H200.timing[name].status}`));
    expect(other.used()).toEqual([]);
  });

  it('resolves a host as well', () => {
    const [name] = host as [keyof typeof MEASURED_HOST.timing];
    const timing = resolveTiming(MEASURED_HOST.timing, 'host');
    expect(timing[name]).toBe(Math.round(MEASURED_HOST.timing[name].value * 1000));
    expect(timing.used()).toEqual([`host.${name}`]);
  });
});
