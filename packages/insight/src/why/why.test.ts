import { machineByName } from '@griddep/machine';
import { type Program, writeProgramYaml } from '@griddep/program';
import { simulate } from '@griddep/simulator';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { busyProgram } from './busy-program.fixture.ts';
import { CONSTRAINTS, liftOf } from './candidates.ts';
import { startWithout, why } from './why.ts';

const h200 = machineByName('h200');
const full = process.env.GRIDDEP_FULL === '1';

it('5.11, 5.10, 1.16 removing a named cause moves the start by the stated amount, and no unnamed cause moves it', {
  timeout: 1_800_000,
}, () => {
  const moved = new Map<string, number>();
  fc.assert(
    fc.property(busyProgram(), ({ program, pick }) => {
      const timeline = simulate(program, h200);
      const on = timeline.operations.flatMap((o, i) => (o.device >= 0 && o.start >= 0 ? [i] : []));
      fc.pre(on.length > 0);
      const index = on[pick % on.length] as number;
      const operation = timeline.operations[index];
      const id = operation?.id ?? '';
      const { removals, start } = why(program, h200, id);
      for (const { constraint, gain } of removals)
        if (gain !== 0) moved.set(constraint, (moved.get(constraint) ?? 0) + 1);
      for (const constraint of CONSTRAINTS) {
        const named = removals.find((each) => each.constraint === constraint);
        if (constraint === 'resources' && named === undefined) continue;
        const without = startWithout(program, h200, timeline, index, liftOf(timeline, index, constraint));
        expect(without, `${id} without ${constraint}\n${shown(program)}`).toBe(named?.earliest ?? start);
      }
    }),
    { numRuns: full ? 500 : 20, seed: 20261130 },
  );
  // The programs are of use only if causes of many kinds occur in them.
  expect([...moved.keys()].length).toBeGreaterThan(full ? 9 : 5);
});

function shown(program: Program): string {
  return writeProgramYaml(program);
}
