import { type Machine, machineByName } from '@griddep/machine';
import { buildScenario, listScenarios, type ParameterValues, type Program, type Scenario } from '@griddep/program';
import { describe, expect, it } from 'vitest';
import { simulate } from './index.ts';

const H200 = machineByName('h200');
/** Up to this many blocks the reference path is quick enough to compare with. */
const FEW_BLOCKS = 20_000;

/** As many H200s in a node as a program names. */
function machineFor({ streams, events, buffers, threads }: Program): Machine {
  const named = [...streams.values(), ...events.values(), ...buffers.values(), ...threads];
  const count = 1 + Math.max(0, ...named.map(({ device }) => device));
  return count === 1 ? H200 : machineByName(`h200x${count}`);
}

/** A scenario with its defaults and, where it has the parameter, launched both ways and with PDL off and on. */
function variants({ params }: Scenario): ParameterValues[] {
  const values = (name: string, all: readonly (string | boolean)[]): ParameterValues[] =>
    params.some((p) => p.name === name) ? all.map((value) => ({ [name]: value })) : [{}];
  return values('mode', ['stream', 'graph']).flatMap((mode) =>
    values('pdl', [true, false]).map((pdl) => ({ ...mode, ...pdl })),
  );
}

const all = listScenarios().flatMap((scenario) =>
  variants(scenario).map((set) => [`${scenario.name} ${JSON.stringify(set)}`, scenario, set] as const),
);

describe('every scenario ends on an H200, without CUDA errors', () => {
  it.each(all)('%s', (_, scenario, set) => {
    const program = scenario.build(set);
    const machine = machineFor(program);
    const cohorts = simulate(program, machine);
    expect(cohorts.stuck).toEqual([]);
    expect(cohorts.errors).toEqual([]);
    const blocks = cohorts.operations.reduce((sum, operation) => sum + operation.blocks, 0);
    expect(blocks).toBeGreaterThan(0);
    if (blocks > FEW_BLOCKS) return;
    expect(simulate(program, machine, { blockByBlock: true }).operations).toEqual(cohorts.operations);
  });
});

describe('unfit-host-flags', () => {
  const ends = (pdl: string) =>
    simulate(buildScenario('unfit-host-flags', { relyOnOverlap: 'true', pdl }), H200).stuck.length === 0;

  it('never ends where it relies on an overlap that is not allowed', () => {
    expect(ends('false')).toBe(false);
    expect(ends('true')).toBe(true);
  });
});
