import { machineByName } from '@griddep/machine';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomProgram } from './random-program.fixture.ts';
import { severalDevices } from './several-devices.fixture.ts';
import { simulate } from './simulate.ts';

const RUNS = process.env.GRIDDEP_FULL === '1' ? 500 : 100;
const H200 = machineByName('h200');

it(`block by block and by cohorts: the same operations and blocks, to the picosecond, on ${RUNS} random programs`, () => {
  fc.assert(
    fc.property(randomProgram(), (program) => {
      const cohorts = simulate(program, H200, { recordBlocks: true });
      const blocks = simulate(program, H200, { recordBlocks: true, blockByBlock: true });
      expect(cohorts.stuck).toEqual(blocks.stuck);
      expect(cohorts.operations).toEqual(blocks.operations);
      expect(cohorts.blocks).toEqual(blocks.blocks);
    }),
    { numRuns: RUNS, seed: 20261129 },
  );
}, 900_000);

const FEWER = Math.ceil(RUNS / 4);

it.each(['h200x3', 'rtx4090x3', 'h200x2x2'])(
  `the same over several devices, all of which end: %s, ${FEWER} random programs`,
  (name) => {
    const machine = machineByName(name);
    fc.assert(
      fc.property(severalDevices(3), (program) => {
        const cohorts = simulate(program, machine, { recordBlocks: true });
        const blocks = simulate(program, machine, { recordBlocks: true, blockByBlock: true });
        expect(cohorts.stuck).toEqual([]);
        expect(cohorts.operations).toEqual(blocks.operations);
        expect(cohorts.blocks).toEqual(blocks.blocks);
        expect(cohorts.errors).toEqual(blocks.errors);
      }),
      { numRuns: FEWER, seed: 20261130 },
    );
  },
  900_000,
);
