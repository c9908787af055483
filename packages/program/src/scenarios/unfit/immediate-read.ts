import { fma, load, store, trigger, wait } from '../../phases.ts';
import { modeParameter, pdlParameter } from '../support/common-parameters.ts';
import { LaunchChain } from '../support/launch-chain.ts';
import { count } from '../support/parameters.ts';
import { runOnce } from '../support/run-once.ts';
import { defineScenario } from '../support/scenario.ts';

const TILE = 16 * 1024;
const BLOCKS = 64;

export const immediateRead = defineScenario({
  name: 'unfit-immediate-read',
  summary: 'PDL does not fit: every kernel reads its predecessor at once, so there is nothing to do before the wait',
  description:
    'The wait is the first thing each kernel does. What remains to gain is the launch latency; no work overlaps.',
  params: {
    kernels: count(24, 'kernels in the chain', 1, 256),
    mode: modeParameter,
    pdl: pdlParameter,
  },
  declare(program, { kernels, mode, pdl }) {
    program.kernel('stencil', {
      grid: BLOCKS,
      block: 256,
      parameters: ['x', 'y'],
      phases: [
        wait(),
        load(TILE, { buffer: '$x', blockStride: TILE }),
        trigger(),
        fma(100),
        store(TILE, { buffer: '$y', blockStride: TILE }),
      ],
    });
    const even = program.buffer('even', { bytes: BLOCKS * TILE });
    const odd = program.buffer('odd', { bytes: BLOCKS * TILE });
    runOnce(program, {
      mode,
      input: even,
      output: kernels % 2 === 0 ? even : odd,
      enqueue(thread, stream) {
        const chain = new LaunchChain(thread, stream, pdl);
        for (let i = 0; i < kernels; i++) {
          chain.launch('stencil', i % 2 === 0 ? { x: even, y: odd } : { x: odd, y: even });
        }
      },
    });
  },
});
