import { modeParameter, pdlParameter } from './support/common-parameters.ts';
import { gemm, gemmBytes } from './support/gemm.ts';
import { LaunchChain } from './support/launch-chain.ts';
import { count } from './support/parameters.ts';
import { elementwise } from './support/row-kernels.ts';
import { runOnce } from './support/run-once.ts';
import { defineScenario } from './support/scenario.ts';

export const elementwiseGemm = defineScenario({
  name: 'elementwise-gemm',
  summary: 'A gated activation then GEMM, pair after pair: an elementwise producer, a consumer with a preamble',
  description:
    'Each pair applies an activation to two halves (as SwiGLU does) and multiplies the product by its own weights, ' +
    'which the GEMM prefetches before the wait.',
  params: {
    pairs: count(12, 'pairs of kernels', 1, 128),
    batch: count(8, 'rows of the activation', 1, 64),
    mode: modeParameter,
    pdl: pdlParameter,
  },
  declare(program, { pairs, batch, mode, pdl }) {
    const hidden = 2048;
    const shape = { batch, k: hidden, n: 2 * hidden, tile: 32 };
    const bytes = gemmBytes(shape);
    program.kernel('silu', elementwise(bytes.x, 1024, 2));
    program.kernel('gemm', gemm(shape));
    const wide = program.buffer('wide', { bytes: bytes.y });
    const narrow = program.buffer('narrow', { bytes: bytes.x });
    const weights = Array.from({ length: pairs }, (_, i) => program.buffer(`w${i}`, { bytes: bytes.w }));
    runOnce(program, {
      mode,
      input: wide,
      output: wide,
      enqueue(thread, stream) {
        const chain = new LaunchChain(thread, stream, pdl);
        for (const w of weights) {
          chain.launch('silu', { x: wide, y: narrow });
          chain.launch('gemm', { x: narrow, w, y: wide });
        }
      },
    });
  },
});
