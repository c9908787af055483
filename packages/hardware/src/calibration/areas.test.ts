import { DEVICE_TIMING, HOST_TIMING } from '@griddep/machine';
import { describe, expect, it } from 'vitest';
import { MECHANISMS } from '../ablation/mechanisms.ts';
import { carriedCases } from '../cases.ts';
import { partOf } from '../split.ts';
import { AREAS } from './areas.ts';

const NAMES = carriedCases()
  .flatMap(({ cases }) => cases.map(({ name }) => name))
  .filter((name) => partOf(name) === 'fit');
const searched = AREAS.flatMap((area) => area.searched);

function isWithin(name: string, value: number): boolean {
  const { least, most } = DEVICE_TIMING[name as keyof typeof DEVICE_TIMING].range;
  return value >= least && value <= most;
}

describe('the lists of constants', () => {
  it('name constants that machines have, each once', () => {
    const names = searched.map(({ constant }) => constant);
    expect(names.filter((name) => !(name in DEVICE_TIMING))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    const host = AREAS.flatMap((area) => area.readOff ?? []).map(({ constant }) => constant);
    expect(host.filter((name) => !(name in HOST_TIMING))).toEqual([]);
    expect(searched.flatMap(({ together = [] }) => together).filter((name) => !names.includes(name))).toEqual([]);
  });

  it('have a case of the fit part for every constant that is searched', () => {
    expect(searched.filter(({ cases }) => !NAMES.some((name) => cases.test(name)))).toEqual([]);
  });

  it('look for constants, and take mechanisms away, within what a constant can be', () => {
    const bad = searched.flatMap(({ constant, bounds = [] }) =>
      bounds.filter((value) => !isWithin(constant, value)).map((value) => `${constant}: ${value}`),
    );
    const changes = MECHANISMS.flatMap(({ change }) => Object.entries(change.device ?? {}));
    const taken = changes.filter(([name, value]) => typeof value === 'number' && !isWithin(name, value));
    expect([...bad, ...taken]).toEqual([]);
  });

  it('give device and host constants different names, so that a profile can hold both', () => {
    expect(Object.keys(DEVICE_TIMING).filter((name) => name in HOST_TIMING)).toEqual([]);
  });

  it('take mechanisms away by constants that machines have', () => {
    const names = MECHANISMS.flatMap(({ change }) => Object.keys(change.device ?? {}));
    expect(names.filter((name) => !(name in DEVICE_TIMING))).toEqual([]);
  });
});
