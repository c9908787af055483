import { fma, load, store } from '../phases.ts';
import { choice, count, size } from './support/parameters.ts';
import { defineScenario } from './support/scenario.ts';

const TILE = 16 * 1024;

export const chunkedPipeline = defineScenario({
  name: 'chunked-pipeline',
  summary: 'Upload, compute and download of chunks that take turns over several streams',
  description:
    'Each stream has device buffers of its own and works on every n-th chunk. Two streams overlap copies with ' +
    'kernels, three or more fill both copy directions; with pageable memory the host waits in every copy and nothing ' +
    'overlaps.',
  params: {
    streams: count(3, 'streams', 1, 16),
    chunks: count(12, 'chunks', 1, 128),
    bytes: size('4MiB', 'bytes of a chunk, rounded down to whole tiles of 16 KiB', '16KiB', '256MiB'),
    memory: choice('pinned', 'kind of host memory', ['pinned', 'pageable']),
  },
  declare(program, { streams, chunks, bytes: asked, memory }) {
    const tiles = Math.floor(asked / TILE);
    const bytes = tiles * TILE;
    program.kernel('transform', {
      grid: tiles,
      block: 256,
      parameters: ['x', 'y'],
      phases: [
        load(TILE, { buffer: '$x', blockStride: TILE }),
        fma(400),
        store(TILE, { buffer: '$y', blockStride: TILE }),
      ],
    });
    const host = { bytes: bytes * chunks, space: 'host', hostMemory: memory } as const;
    const from = program.buffer('hostInput', host);
    const to = program.buffer('hostOutput', host);
    const lanes = Array.from({ length: Math.min(streams, chunks) }, (_, i) => ({
      stream: program.stream(`s${i}`, { kind: 'nonBlocking' }),
      x: program.buffer(`x${i}`, { bytes }),
      y: program.buffer(`y${i}`, { bytes }),
    }));
    const thread = program.hostThread();
    thread.hostWrite(from);
    for (let chunk = 0; chunk < chunks; chunk++) {
      const lane = lanes[chunk % lanes.length] as (typeof lanes)[number];
      const part = { offset: chunk * bytes, bytes };
      thread.memcpyAsync('hostToDevice', bytes, lane.stream, {
        source: { buffer: from, ...part },
        destination: lane.x,
        label: `upload#${chunk}`,
      });
      thread.launchKernel('transform', lane.stream, undefined, {
        args: { x: lane.x.name, y: lane.y.name },
        label: `transform#${chunk}`,
      });
      thread.memcpyAsync('deviceToHost', bytes, lane.stream, {
        source: lane.y,
        destination: { buffer: to, ...part },
        label: `download#${chunk}`,
      });
    }
    thread.deviceSynchronize();
    thread.hostRead(to);
  },
});
