import { fma, load, store } from '../phases.ts';
import { choice, count } from './support/parameters.ts';
import { defineScenario } from './support/scenario.ts';

const TILE = 16 * 1024;
const BYTES = 64 * TILE;
/** More than the pool grows by while the device is busy with a chunk. */
const SCRATCH = 256 * 1024 ** 2;

export const fourStreamPipeline = defineScenario({
  name: 'four-stream-pipeline',
  summary: 'Four streams that copy and compute side by side, until one call of the loop makes them take turns',
  description:
    'Upload, kernel and download of chunks, all asynchronous and of pinned memory. `spoiledBy` changes one call of the ' +
    'loop: a download that is a blocking copy in the default stream, one to pageable memory, a scratch buffer whose ' +
    'allocation makes the pool grow, or a memset in the legacy default stream (docs/RULES.md 5.1, 6.2, 6.4, 6.7). Each ' +
    'chunk then waits for the one before, and says what for.',
  params: {
    spoiledBy: choice('nothing', 'the call that makes the streams take turns', [
      'nothing',
      'blockingCopy',
      'pageableCopy',
      'poolGrowth',
      'legacyStream',
    ]),
    streams: count(4, 'streams', 1, 16),
    chunks: count(8, 'chunks', 1, 32),
  },
  declare(program, { spoiledBy, streams, chunks }) {
    const grows = spoiledBy === 'poolGrowth';
    program.kernel('transform', {
      grid: BYTES / TILE,
      block: 256,
      parameters: ['x', 'y'],
      phases: [
        load(TILE, { buffer: '$x', blockStride: TILE }),
        fma(400),
        store(TILE, { buffer: '$y', blockStride: TILE }),
      ],
    });
    const host = { bytes: BYTES * chunks, space: 'host' } as const;
    const from = program.buffer('input', { ...host, hostMemory: 'pinned' });
    const to = program.buffer('output', { ...host, hostMemory: spoiledBy === 'pageableCopy' ? 'pageable' : 'pinned' });
    const counter = program.buffer('counter', { bytes: 4096 });
    const lanes = Array.from({ length: Math.min(streams, chunks) }, (_, i) => ({
      stream: program.stream(`s${i}`),
      x: program.buffer(`x${i}`, { bytes: BYTES }),
      y: program.buffer(`y${i}`, { bytes: BYTES }),
    }));
    const thread = program.hostThread();
    for (let chunk = 0; chunk < chunks; chunk++) {
      const { stream, x, y } = lanes[chunk % lanes.length] as (typeof lanes)[number];
      const part = { offset: chunk * BYTES, bytes: BYTES };
      if (grows) {
        const scratch = program.buffer(`scratch${chunk}`, { bytes: SCRATCH });
        thread.mallocAsync(scratch, stream, { label: `allocate#${chunk}` });
      }
      thread.memcpyAsync('hostToDevice', BYTES, stream, {
        source: { buffer: from, ...part },
        destination: x,
        label: `upload#${chunk}`,
      });
      thread.launchKernel('transform', stream, undefined, {
        args: { x: x.name, y: y.name },
        label: `transform#${chunk}`,
      });
      const down = { source: y, destination: { buffer: to, ...part }, label: `download#${chunk}` };
      if (spoiledBy === 'blockingCopy') thread.memcpy('deviceToHost', BYTES, down);
      else thread.memcpyAsync('deviceToHost', BYTES, stream, down);
      if (spoiledBy === 'legacyStream') {
        thread.memsetAsync(counter.bytes, 'legacy', { destination: counter, label: `reset#${chunk}` });
      }
    }
    for (let chunk = 0; grows && chunk < chunks; chunk++)
      thread.freeAsync(`scratch${chunk}`, `s${chunk % lanes.length}`);
    thread.deviceSynchronize();
  },
});
