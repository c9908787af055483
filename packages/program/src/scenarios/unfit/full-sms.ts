import { fma, load, spin, store, trigger, wait } from '../../phases.ts';
import { modeParameter, pdlParameter } from '../support/common-parameters.ts';
import { LaunchChain } from '../support/launch-chain.ts';
import { count, size } from '../support/parameters.ts';
import { runOnce } from '../support/run-once.ts';
import { defineScenario } from '../support/scenario.ts';

const TILE = 64 * 1024;

export const fullSms = defineScenario({
  name: 'unfit-full-sms',
  summary: 'PDL does not fit: both kernels want the whole SM, so a dependent block finds room only when one exits',
  description:
    'Each block takes most of the shared memory of an SM and there is one for every SM. Early launch is allowed, and ' +
    'the dependent still waits for room. Lower `sharedMemory` to half an SM or less to see it overlap.',
  params: {
    kernels: count(16, 'kernels in the chain', 1, 128),
    blocks: count(132, 'blocks of a kernel; 132 is one for each SM of an H200', 1, 1056),
    sharedMemory: size('160KiB', 'dynamic shared memory of a block', '1KiB', '227KiB'),
    mode: modeParameter,
    pdl: pdlParameter,
  },
  declare(program, { kernels, blocks, sharedMemory, mode, pdl }) {
    program.kernel('tile', {
      grid: blocks,
      block: 256,
      registersPerThread: 64,
      dynamicSharedMemory: sharedMemory,
      parameters: ['x', 'w', 'y'],
      phases: [
        spin('300ns'),
        load(TILE / 2, { buffer: '$w', blockStride: TILE / 2 }),
        wait(),
        load(TILE / 2, { buffer: '$x', blockStride: TILE / 2 }),
        trigger(),
        fma(400),
        store(TILE / 2, { buffer: '$y', blockStride: TILE / 2 }),
      ],
    });
    const bytes = (blocks * TILE) / 2;
    const even = program.buffer('even', { bytes });
    const odd = program.buffer('odd', { bytes });
    const w = program.buffer('w', { bytes });
    runOnce(program, {
      mode,
      input: even,
      output: kernels % 2 === 0 ? even : odd,
      enqueue(thread, stream) {
        const chain = new LaunchChain(thread, stream, pdl);
        for (let i = 0; i < kernels; i++) {
          chain.launch('tile', i % 2 === 0 ? { x: even, w, y: odd } : { x: odd, w, y: even });
        }
      },
    });
  },
});
