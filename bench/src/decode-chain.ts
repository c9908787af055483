import { machineByName } from '@griddep/machine';
import { buildScenario, type Program } from '@griddep/program';
import { simulate } from '@griddep/simulator';
import type { BenchCase, BenchSuite } from './suite.ts';

const MACHINE = machineByName('h200');
const STREAM = 's0';
const PICOSECONDS = 1e12;

/** Simulated time over wall time for a decode step of 12 layers (scenario `decode-chain`), in its four variants. */
export const decodeChainSuite: BenchSuite = {
  name: 'decode-chain',
  unit: 'simulated s/s',
  target: 1,
  *groups() {
    const cases = ['stream', 'graph'].flatMap((mode) =>
      [false, true].map((pdl) =>
        variant(
          `${mode}, ${pdl ? 'PDL' : 'plain'}`,
          buildScenario('decode-chain', { mode, pdl: String(pdl), gated: 'true' }),
        ),
      ),
    );
    yield { name: '12 layers', cases, time: 1500 };
  },
};

function variant(name: string, program: Program): BenchCase {
  return {
    name,
    items: chainTime(program) / PICOSECONDS,
    run() {
      simulate(program, MACHINE);
    },
  };
}

/** First start to last completion of the chain's kernels, ps: the gate and the host's calls before do not count. */
function chainTime(program: Program): number {
  const { operations, stuck, errors } = simulate(program, MACHINE);
  if (stuck.length + errors.length > 0) throw new Error(JSON.stringify([...stuck, ...errors]));
  const kernels = operations.filter((o) => o.kind === 'kernel' && o.stream === STREAM);
  return Math.max(...kernels.map((k) => k.completion)) - Math.min(...kernels.map((k) => k.start));
}
