import { load, spin, store, trigger, wait } from '../../phases.ts';
import { modeParameter, pdlParameter } from '../support/common-parameters.ts';
import { gemm, gemmBytes } from '../support/gemm.ts';
import { LaunchChain } from '../support/launch-chain.ts';
import { count } from '../support/parameters.ts';
import { runOnce } from '../support/run-once.ts';
import { defineScenario } from '../support/scenario.ts';

export const shortPrimary = defineScenario({
  name: 'unfit-short-primary',
  summary: 'PDL does not fit: the primary is so short that a long preamble finds hardly anything to hide behind',
  description:
    'A one-block kernel that updates a step counter stands before each GEMM. The GEMM can prefetch only during the ' +
    'few hundred nanoseconds that the counter takes; beyond that only launch latency is saved.',
  params: {
    pairs: count(12, 'pairs of kernels', 1, 128),
    mode: modeParameter,
    pdl: pdlParameter,
  },
  declare(program, { pairs, mode, pdl }) {
    const shape = { batch: 8, k: 2048, n: 2048, tile: 16, accumulate: true };
    const bytes = gemmBytes(shape);
    program.kernel('gemm', gemm(shape));
    program.kernel('advance', {
      grid: 1,
      block: 32,
      parameters: ['counter'],
      phases: [wait(), load(4, '$counter'), trigger(), spin('50ns'), store(4, '$counter')],
    });
    const counter = program.buffer('counter', { bytes: 4 });
    const x = program.buffer('x', { bytes: bytes.x });
    const y = program.buffer('y', { bytes: bytes.y });
    const weights = Array.from({ length: pairs }, (_, i) => program.buffer(`w${i}`, { bytes: bytes.w }));
    runOnce(program, {
      mode,
      input: x,
      output: y,
      enqueue(thread, stream) {
        const chain = new LaunchChain(thread, stream, pdl);
        for (const w of weights) {
          chain.launch('advance', { counter });
          chain.launch('gemm', { x, w, y });
        }
      },
    });
  },
});
