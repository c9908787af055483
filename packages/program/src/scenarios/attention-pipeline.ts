import { attentionCache, attentionSizes, declareAttention } from './support/attention.ts';
import { modeParameter, pdlParameter } from './support/common-parameters.ts';
import { ELEMENT, gemm, gemmBytes } from './support/gemm.ts';
import { LaunchChain } from './support/launch-chain.ts';
import { count } from './support/parameters.ts';
import { runOnce } from './support/run-once.ts';
import { defineScenario } from './support/scenario.ts';

export const attentionPipeline = defineScenario({
  name: 'attention-pipeline',
  summary: 'Projection with rotary embedding, attention over a divided context, combination, output projection',
  description:
    'The attention half of decode layers. Attention loads cached keys and values, which earlier steps wrote, before the ' +
    "wait, and the step's own query, key and value after it; combine has next to no preamble.",
  params: {
    layers: count(6, 'layers of four kernels', 1, 64),
    batch: count(8, 'sequences decoded together', 1, 32),
    context: count(1024, 'cached positions, a multiple of 4', 64, 8192),
    mode: modeParameter,
    pdl: pdlParameter,
  },
  declare(program, { layers, batch, context, mode, pdl }) {
    const hidden = 2048;
    const shape = { batch, hidden, context: context - (context % 4), splits: 4 };
    const sizes = attentionSizes(shape);
    const qkvShape = { batch, k: hidden, n: sizes.projected, tile: 16 };
    const projShape = { batch, k: hidden, n: hidden, tile: 16, accumulate: true };
    program.kernel('qkvRope', gemm(qkvShape));
    declareAttention(program, shape);
    program.kernel('proj', gemm(projShape));
    const x = program.buffer('x', { bytes: batch * hidden * ELEMENT });
    const qkv = program.buffer('qkv', { bytes: gemmBytes(qkvShape).y });
    const partial = program.buffer('partial', { bytes: sizes.partials });
    const attended = program.buffer('attended', { bytes: x.bytes });
    const perLayer = Array.from({ length: layers }, (_, i) => ({
      qkv: program.buffer(`wQkv${i}`, { bytes: gemmBytes(qkvShape).w }),
      proj: program.buffer(`wProj${i}`, { bytes: gemmBytes(projShape).w }),
      cache: attentionCache(program, `cache${i}`, shape),
    }));
    runOnce(program, {
      mode,
      input: x,
      output: x,
      enqueue(thread, stream) {
        const chain = new LaunchChain(thread, stream, pdl);
        perLayer.forEach((layer, i) => {
          thread.range(`layer${i}`, () => {
            chain.launch('qkvRope', { x, w: layer.qkv, y: qkv });
            chain.launch('attention', { qkv, cache: layer.cache, partial });
            chain.launch('combine', { partial, y: attended });
            chain.launch('proj', { x: attended, w: layer.proj, y: x });
          });
        });
      },
    });
  },
});
