import { readdirSync, readFileSync } from 'node:fs';
import { machineByName } from '@griddep/machine';
import { listScenarios, type ParameterValues, type Program, readProgram, type Scenario } from '@griddep/program';
import { describe, expect, it } from 'vitest';
import { checkHazards } from '../check.ts';
import { explore } from './explore.ts';
import { disagreements } from './shown.fixture.ts';

const machine = machineByName('h200x8');

/** The defaults, and each choice that differs from one of them. */
function settings({ params }: Scenario): ParameterValues[] {
  const others = params.flatMap(({ name, default: usual, choices }) => {
    const values = choices ?? (typeof usual === 'boolean' ? [!usual] : []);
    return values.filter((value) => value !== usual).map((value) => ({ [name]: value }));
  });
  return [{}, ...others];
}

function shown(program: Program): number {
  const result = explore(program, machine, { shrink: 0, random: 5 });
  expect(result.isComplete).toBe(true);
  expect(disagreements(checkHazards(program, machine).findings, result)).toEqual([]);
  return result.findings.length;
}

describe('explore and the checker', () => {
  it('2.1, 2.2 agree on every scenario and each of its choices', () => {
    const unsafe = listScenarios().flatMap((scenario) =>
      settings(scenario).flatMap((values) =>
        shown(scenario.build(values)) > 0 ? [`${scenario.name} ${JSON.stringify(values)}`] : [],
      ),
    );
    expect(unsafe).toMatchInlineSnapshot(`
      [
        "unfit-complex-dependencies {}",
        "unfit-complex-dependencies {"wait":"missing"}",
        "unfit-complex-dependencies {"mode":"graph"}",
        "unfit-host-flags {"relyOnOverlap":true}",
      ]
    `);
  }, 120_000);

  it('2.1, 2.2 agree on the examples', () => {
    const folder = new URL('../../../../docs/examples/', import.meta.url);
    const files = readdirSync(folder).filter((name) => name.endsWith('.yaml') && name !== 'half-h200.yaml');
    const unsafe = files.filter((file) => {
      return shown(readProgram(readFileSync(new URL(file, folder), 'utf8'), { file })) > 0;
    });
    expect(files.length).toBeGreaterThan(5);
    expect(unsafe).toEqual([]);
  });
});
