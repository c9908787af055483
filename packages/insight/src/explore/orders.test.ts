import { machineByName } from '@griddep/machine';
import { type Program, writeProgramYaml } from '@griddep/program';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Place } from '../finding.ts';
import { allOrders } from '../oracle.fixture.ts';
import { Places } from '../places.ts';
import { Recorder } from '../program/recorder.ts';
import { findRaces } from '../races/find-races.ts';
import { smallProgram } from '../small-program.fixture.ts';
import { conditionsOf } from './conditions.ts';
import { NO_HOLDS } from './holds.ts';
import { OrderSearch } from './orders.ts';

const h200 = machineByName('h200');
const full = process.env.GRIDDEP_FULL === '1';

/** What happens, with the launch before a graph's node. */
function nameOf({ name, launchedBy }: Place): string {
  return launchedBy === undefined ? name : `${launchedBy.name}/${name}`;
}

function swapped(program: Program): { readonly pairs: string[]; readonly search: OrderSearch } {
  const places = new Places(program);
  const search = new OrderSearch(conditionsOf(new Recorder(program, h200).record(), NO_HOLDS), places);
  search.search({ bound: 10_000, random: 20, seed: 1 });
  const names = [...search.swaps.values()].map(({ late, early }) =>
    [late, early]
      .map(({ node }) => nameOf(places.of(node)))
      .sort()
      .join(' | '),
  );
  return { pairs: [...new Set(names)].sort(), search };
}

function reported(program: Program): string[] {
  const places = new Places(program);
  const { races } = findRaces(new Recorder(program, h200).record(), places, 'contract', true);
  const names = races.map(({ first, second }) =>
    [first, second]
      .map(({ node }) => nameOf(places.of(node)))
      .sort()
      .join(' | '),
  );
  return [...new Set(names)].sort();
}

it('2.1, 2.2, 2.3, 2.4, 2.6, 5.1, 5.4 changes the places of what can in all orders of small programs, and of nothing else', () => {
  let racing = 0;
  fc.assert(
    fc.property(smallProgram(), (program) => {
      const orders = allOrders(program);
      fc.pre(orders !== undefined);
      const races = [...(orders as NonNullable<typeof orders>).races].sort();
      racing += races.length > 0 ? 1 : 0;
      const { pairs, search } = swapped(program);
      expect(search.isComplete).toBe(true);
      // Of what one host thread does not know of another's calls, the recorded order says less than all orders do.
      const isKnown = program.threads.length === 1;
      const expected = isKnown ? races : reported(program);
      if (pairs.join() === expected.join() && races.every((pair) => pairs.includes(pair))) return;
      throw new Error(`all orders: ${races}; expected: ${expected}; found: ${pairs}\n${writeProgramYaml(program)}`);
    }),
    { numRuns: full ? 5000 : 200 },
  );
  expect(racing).toBeGreaterThan(50);
}, 3_600_000);
