import { modeParameter, pdlParameter } from './support/common-parameters.ts';
import { gemm, gemmBytes } from './support/gemm.ts';
import { LaunchChain } from './support/launch-chain.ts';
import { count } from './support/parameters.ts';
import { runOnce } from './support/run-once.ts';
import { defineScenario } from './support/scenario.ts';

export const backToBackGemm = defineScenario({
  name: 'back-to-back-gemm',
  summary: "GEMM after GEMM: the next one's weights are on their way while the last one computes",
  description:
    'A chain of equal GEMMs, each with its own weights, whose outputs alternate between two buffers. Two of their blocks ' +
    'fit on an SM, so a dependent can be resident beside its primary.',
  params: {
    gemms: count(24, 'GEMMs in the chain', 1, 256),
    batch: count(8, 'rows of the activation', 1, 64),
    mode: modeParameter,
    pdl: pdlParameter,
  },
  declare(program, { gemms, batch, mode, pdl }) {
    const hidden = 2048;
    const shape = { batch, k: hidden, n: hidden, tile: 16 };
    const bytes = gemmBytes(shape);
    program.kernel('gemm', gemm(shape));
    const even = program.buffer('even', { bytes: bytes.x });
    const odd = program.buffer('odd', { bytes: bytes.x });
    const weights = Array.from({ length: gemms }, (_, i) => program.buffer(`w${i}`, { bytes: bytes.w }));
    runOnce(program, {
      mode,
      input: even,
      output: gemms % 2 === 0 ? even : odd,
      enqueue(thread, stream) {
        const chain = new LaunchChain(thread, stream, pdl);
        weights.forEach((w, i) => {
          chain.launch('gemm', i % 2 === 0 ? { x: even, w, y: odd } : { x: odd, w, y: even });
        });
      },
    });
  },
});
