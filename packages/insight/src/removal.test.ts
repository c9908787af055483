import { machineByName } from '@griddep/machine';
import { writeProgramYaml } from '@griddep/program';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkHazards } from './check.ts';
import type { Finding } from './finding.ts';
import { hazardFree } from './removal.fixture.ts';

const machine = machineByName('h200x4');
const full = process.env.GRIDDEP_FULL === '1';

const isUnsafe = ({ verdict }: Finding): boolean => verdict !== 'lint' && verdict !== 'unknown';

it('2.1, 2.2, 2.4, 4.8, 5.4 finds each ordering that is left out and matters, and nothing in the program with it', () => {
  let mattered = 0;
  fc.assert(
    fc.property(hazardFree(), fc.nat(), (made, pick) => {
      expect(made.unordered(undefined)).toEqual(new Set());
      const original = checkHazards(made.program, machine).findings.filter(isUnsafe);
      if (original.length > 0) throw new Error(`${original[0]?.text}\n${writeProgramYaml(made.program)}`);
      const order = made.orders[pick % made.orders.length];
      fc.pre(order !== undefined);
      const open = made.unordered(order);
      const reduced = made.without(order as string);
      const found = checkHazards(reduced, machine).findings.filter(isUnsafe);
      mattered += open.size > 0 ? 1 : 0;
      const named = found.map(({ missingEdge }) => `${missingEdge?.from.name} | ${missingEdge?.to.name}`);
      const isRight = named.every((pair) => open.has(pair)) && named.length > 0 === open.size > 0;
      if (!isRight) {
        throw new Error(`without ${order}: ${[...open]} are open, ${named} were named\n${writeProgramYaml(reduced)}`);
      }
    }),
    { numRuns: full ? 300 : 30 },
  );
  expect(mattered).toBeGreaterThan(full ? 100 : 8);
}, 600_000);
