import { modeParameter, pdlParameter } from './support/common-parameters.ts';
import { gemm, gemmBytes } from './support/gemm.ts';
import { LaunchChain } from './support/launch-chain.ts';
import { count } from './support/parameters.ts';
import { rmsNorm } from './support/row-kernels.ts';
import { runOnce } from './support/run-once.ts';
import { defineScenario } from './support/scenario.ts';

export const rmsnormGemm = defineScenario({
  name: 'rmsnorm-gemm',
  summary: 'RMSNorm then GEMM, pair after pair: the GEMM prefetches weights while the normalisation finishes',
  description:
    'Each pair normalises the activation and multiplies it by its own weights. A GEMM fills its pipeline with weights ' +
    'before the wait and reads the activation after it.',
  params: {
    pairs: count(12, 'pairs of kernels', 1, 128),
    batch: count(8, 'rows of the activation', 1, 64),
    mode: modeParameter,
    pdl: pdlParameter,
  },
  declare(program, { pairs, batch, mode, pdl }) {
    const hidden = 2048;
    const shape = { batch, k: hidden, n: hidden, tile: 16 };
    const bytes = gemmBytes(shape);
    program.kernel('rmsnorm', rmsNorm(batch, hidden));
    program.kernel('gemm', gemm(shape));
    const x = program.buffer('x', { bytes: bytes.x });
    const normed = program.buffer('normed', { bytes: bytes.x });
    const gain = program.buffer('gain', { bytes: hidden * 2 });
    const weights = Array.from({ length: pairs }, (_, i) => program.buffer(`w${i}`, { bytes: bytes.w }));
    runOnce(program, {
      mode,
      input: x,
      output: x,
      enqueue(thread, stream) {
        const chain = new LaunchChain(thread, stream, pdl);
        for (const w of weights) {
          chain.launch('rmsnorm', { x, gain, y: normed });
          chain.launch('gemm', { x: normed, w, y: x });
        }
      },
    });
  },
});
