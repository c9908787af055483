import { fma, load, store } from '../phases.ts';
import { count } from './support/parameters.ts';
import { defineScenario } from './support/scenario.ts';

const TILE = 4096;

export const streamPerKernel = defineScenario({
  name: 'stream-per-kernel',
  summary: 'A stream for every tiny kernel: the host and the hardware queues become the bottleneck',
  description:
    'Independent kernels of a few blocks. With fewer `streams` than `kernels` they take turns over a fixed pool, which ' +
    'is as fast and costs less.',
  params: {
    kernels: count(64, 'kernels', 1, 512),
    streams: count(64, 'streams', 1, 512),
    blocks: count(4, 'blocks of a kernel', 1, 132),
  },
  declare(program, { kernels, streams, blocks }) {
    program.kernel('tiny', {
      grid: blocks,
      block: 128,
      parameters: ['x', 'y'],
      phases: [
        load(TILE, { buffer: '$x', blockStride: TILE }),
        fma(200),
        store(TILE, { buffer: '$y', blockStride: TILE }),
      ],
    });
    const pool = Array.from({ length: Math.min(streams, kernels) }, (_, i) =>
      program.stream(`s${i}`, { kind: 'nonBlocking' }),
    );
    const bytes = blocks * TILE;
    const thread = program.hostThread();
    for (let i = 0; i < kernels; i++) {
      const x = program.buffer(`x${i}`, { bytes });
      const y = program.buffer(`y${i}`, { bytes });
      const stream = pool[i % pool.length] as (typeof pool)[number];
      thread.launchKernel('tiny', stream, undefined, { args: { x: x.name, y: y.name }, label: `tiny#${i}` });
    }
    thread.deviceSynchronize();
  },
});
