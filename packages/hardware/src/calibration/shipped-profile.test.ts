import { readFileSync } from 'node:fs';
import { machineByName } from '@griddep/machine';
import { readMachine } from '@griddep/machine/file';
import { expect, it } from 'vitest';
import { prepareCases } from '../case-group.ts';
import { carriedCases } from '../cases.ts';
import { calibrate } from './calibrate.ts';

const START = new URL('../../../../tools/h200-start.yaml', import.meta.url);

it.runIf(process.env.GRIDDEP_FULL === '1')(
  'the shipped H200 profile is what calibrate finds',
  { timeout: 300_000 },
  () => {
    const start = readMachine(readFileSync(START, 'utf8'), 'h200-start.yaml');
    const { fitted } = calibrate(prepareCases(carriedCases(), start, 'environment'), start, { rounds: 3 });
    const { devices, host } = machineByName('h200');
    const shipped = { ...devices[0]?.timing, ...host.timing } as Record<string, { value: number }>;
    expect(fitted.length).toBe(58);
    expect(Object.fromEntries(fitted.map(({ constant }) => [constant, shipped[constant]?.value]))).toEqual(
      Object.fromEntries(fitted.map(({ constant, value }) => [constant, Number(value.toPrecision(4))])),
    );
  },
);
