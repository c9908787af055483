import { machineByName } from '@griddep/machine';
import { type Program, programBuilder, spin } from '@griddep/program';
import { simulate } from '@griddep/simulator';
import type { BenchCase, BenchSuite } from './suite.ts';

const MACHINE = machineByName('h200');

/** Kernels simulated in a second, by cohorts of blocks (the default) and block by block (the reference path). */
export const kernelsSuite: BenchSuite = {
  name: 'kernels',
  unit: 'kernels/s',
  *groups() {
    for (const [name, program, kernels] of [
      ['chain of 1000, 1 block', chain(1000, 1), 1000],
      ['chain of 200, 132 blocks', chain(200, 132), 200],
      ['fork-join of 8 streams, 50 times', forkJoin(8, 50), 400],
      ['4 of 20,000 blocks', chain(4, 20_000), 4],
    ] as const) {
      yield {
        name,
        cases: [simulation('cohorts', program, kernels, false), simulation('blocks', program, kernels, true)],
      };
    }
  },
};

function simulation(name: string, program: Program, items: number, blockByBlock: boolean): BenchCase {
  return {
    name,
    items,
    run() {
      const { stuck, errors } = simulate(program, MACHINE, { blockByBlock });
      if (stuck.length + errors.length > 0)
        throw new Error(`${program.name}: ${JSON.stringify([...stuck, ...errors])}`);
    },
  };
}

function chain(length: number, blocks: number): Program {
  const program = programBuilder(`chain of ${length}, ${blocks} blocks`);
  program.kernel('k', { grid: blocks, block: 256, phases: [spin('2us')] });
  program.stream('s');
  const host = program.hostThread();
  for (let i = 0; i < length; i++) host.launchKernel('k', 's');
  host.deviceSynchronize();
  return program.build();
}

function forkJoin(width: number, times: number): Program {
  const program = programBuilder(`fork-join of ${width}, ${times} times`);
  program.kernel('k', { grid: 16, block: 256, phases: [spin('3us')] });
  program.event('fork', { timing: false });
  const streams = Array.from({ length: width }, (_, i) => program.stream(`s${i}`));
  for (let i = 1; i < width; i++) program.event(`join${i}`, { timing: false });
  const host = program.hostThread();
  for (let round = 0; round < times; round++) {
    host.eventRecord('fork', 's0');
    for (const stream of streams.slice(1)) host.streamWaitEvent(stream, 'fork');
    for (const stream of streams) host.launchKernel('k', stream);
    for (let i = 1; i < width; i++) {
      host.eventRecord(`join${i}`, `s${i}`);
      host.streamWaitEvent('s0', `join${i}`);
    }
  }
  host.deviceSynchronize();
  return program.build();
}
