import { machineByName } from '@griddep/machine';
import { describe, expect, it } from 'vitest';
import type { PreparedCase } from '../case-group.ts';
import { hostEnvironment } from '../host-environment.ts';
import { handMade } from '../measured.fixture.ts';
import type { MeasuredCase } from '../measured-case.ts';
import { readOff } from './read-off.ts';

const launches = (durationNs: number, count = 10) =>
  Array.from({ length: count }, () => ({ kind: 'launchKernel' as const, durationNs }));
const read = (...cases: MeasuredCase[]) =>
  readOff(
    { constant: 'launchKernel', cases: /./ },
    cases.map((measured): PreparedCase => ({ measured, environment: new Map() })),
  );
const gated = handMade('gated', [], { gated: true, calls: launches(3000) });

describe('readOff', () => {
  it('takes calls of gated cases only, as the environment of a host does', () => {
    const free = handMade('free', [], { calls: launches(9000, 100) });
    expect(read(gated, free)).toMatchObject({ value: 3000, low: 3000, high: 3000, residual: 0, cases: 1 });
    const environment = hostEnvironment([gated, free], machineByName('h200'));
    expect(environment.get('launchKernel')?.valueNs).toBe(3000);
    expect(read(free)).toBeUndefined();
  });

  it('takes no calls of cases of several devices', () => {
    const { program } = gated;
    const [stream] = program.streams.values();
    const streams = new Map([['s', { ...(stream as NonNullable<typeof stream>), device: 1 }]]);
    const pair = { ...gated, program: { ...program, streams }, calls: launches(9000, 100) };
    expect(read(gated, pair)).toMatchObject({ value: 3000, cases: 1 });
  });

  it('gives no negative time', () => {
    const reversed = handMade('reversed', [], { gated: true, calls: launches(-1e15) });
    expect(read(reversed)).toMatchObject({ value: 0, low: 0, high: 0, residual: 0 });
  });
});
