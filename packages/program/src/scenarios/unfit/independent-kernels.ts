import { fma, load, spin, store, trigger, wait } from '../../phases.ts';
import { pdlParameter } from '../support/common-parameters.ts';
import { LaunchChain } from '../support/launch-chain.ts';
import { count } from '../support/parameters.ts';
import { defineScenario } from '../support/scenario.ts';

const BLOCKS = 32;
const TILE = 64 * 1024;

export const independentKernels = defineScenario({
  name: 'unfit-independent-kernels',
  summary: 'PDL does not fit: the kernels do not depend on each other, so several streams are the simpler way',
  description:
    'Kernels on separate buffers, each a quarter of the device. In one stream PDL overlaps only preambles; with ' +
    '`streams=4` whole kernels run side by side.',
  params: {
    kernels: count(24, 'kernels', 1, 256),
    streams: count(1, 'streams they take turns over', 1, 32),
    pdl: pdlParameter,
  },
  declare(program, { kernels, streams, pdl }) {
    program.kernel('transform', {
      grid: BLOCKS,
      block: 256,
      parameters: ['x', 'y'],
      phases: [
        spin('300ns'),
        wait(),
        load(TILE, { buffer: '$x', blockStride: TILE }),
        trigger(),
        fma(800),
        store(TILE, { buffer: '$y', blockStride: TILE }),
      ],
    });
    const thread = program.hostThread();
    const chains = Array.from({ length: Math.min(streams, kernels) }, (_, i) => {
      const stream = program.stream(`s${i}`, { kind: 'nonBlocking' });
      return new LaunchChain(thread, stream, pdl, `${stream.name}/`);
    });
    for (let i = 0; i < kernels; i++) {
      const bytes = BLOCKS * TILE;
      const args = { x: program.buffer(`x${i}`, { bytes }), y: program.buffer(`y${i}`, { bytes }) };
      chains[i % chains.length]?.launch('transform', args);
    }
    thread.deviceSynchronize();
  },
});
