import { machineByName } from '@griddep/machine';
import { type Program, writeProgramYaml } from '@griddep/program';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkHazards } from './check.ts';
import { allOrders } from './oracle.fixture.ts';
import { Places } from './places.ts';
import { Recorder } from './program/recorder.ts';
import { findRaces } from './races/find-races.ts';
import { smallProgram } from './small-program.fixture.ts';

const h200 = machineByName('h200');
const full = process.env.GRIDDEP_FULL === '1';

/** Pairs of operations as texts, by their names in alphabetical order, each once. */
function pairsOf(pairs: readonly (readonly string[])[]): string[] {
  return [...new Set(pairs.map((pair) => [...pair].sort().join(' | ')))].sort();
}

function everyRace(program: Program): string[] {
  const places = new Places(program);
  const { races } = findRaces(new Recorder(program, h200).record(), places, 'contract', true);
  return pairsOf(races.map(({ first, second }) => [places.of(first.node).name, places.of(second.node).name]));
}

function reported(program: Program): string[] {
  const found = checkHazards(program, h200).findings.filter(({ accesses }) => accesses.length === 2);
  return pairsOf(found.map(({ accesses }) => accesses.map(({ place }) => place.name)));
}

it('2.1, 2.2, 2.3, 2.4, 2.6, 5.1, 5.4 agrees with all orders of small programs, tried one by one', () => {
  let racing = 0;
  fc.assert(
    fc.property(smallProgram(), (program) => {
      const orders = allOrders(program);
      fc.pre(orders !== undefined);
      const { races } = orders as NonNullable<typeof orders>;
      racing += races.size > 0 ? 1 : 0;
      const expected = [...races].sort();
      const [every, some] = [everyRace(program), reported(program)];
      const same = every.join() === expected.join() && some.every((pair) => races.has(pair));
      if (same && (some.length > 0 || races.size === 0)) return;
      throw new Error(`all orders: ${expected}; the checker: ${every}, of which ${some}\n${writeProgramYaml(program)}`);
    }),
    { numRuns: full ? 5000 : 200 },
  );
  expect(racing).toBeGreaterThan(50);
}, 3_600_000);
