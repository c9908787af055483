import { fma, load, store } from '../../phases.ts';
import { at } from '../support/at.ts';
import type { Recorded } from '../support/event-pool.ts';
import { count } from '../support/parameters.ts';
import { Ranks, ranksParameters } from '../support/ranks.ts';
import { defineScenario } from '../support/scenario.ts';

/** A row of 4096 doubles. */
const ROW = 4096 * 8;

export const haloExchange = defineScenario({
  name: 'halo-exchange',
  summary: 'A stencil in slabs of rows: border rows go to the neighbours while the interior is computed',
  description:
    'Each device has a slab of rows of 4096 doubles and a halo row above and below, in two copies that are read and written in turn. In each ' +
    "iteration two streams copy the first and the last row to the neighbours' halos while a kernel computes the interior, which needs no " +
    'halo; the boundary kernel waits for the halos. Copies and boundary of one iteration wait for nothing but the events of their neighbours. ' +
    'The first and the last device have one neighbour. With one device nothing is exchanged.',
  params: {
    ...ranksParameters(4, 'slabs'),
    iterations: count(4, 'iterations', 1, 1024),
    rows: count(2048, 'rows of a slab', 3, 65_536),
  },
  declare(program, { devices, devicesPerNode, host, iterations, rows }) {
    const ranks = new Ranks(program, { devices, devicesPerNode, host });
    // A block computes a row from three; its neighbours have brought two of them into the cache.
    const rowsAt = (first: number, stride: number, grid: number) => ({
      grid,
      block: 512,
      parameters: ['from', 'to'],
      phases: [
        load(ROW, { buffer: '$from', offset: (first - 1) * ROW, bytes: 3 * ROW, blockStride: stride * ROW }),
        fma(20),
        store(ROW, { buffer: '$to', offset: first * ROW, blockStride: stride * ROW }),
      ],
    });
    program.kernel('interior', rowsAt(2, 1, rows - 2));
    program.kernel('boundary', rowsAt(1, rows - 1, 2));
    const slabs = ranks.map((rank) => ['even', 'odd'].map((name) => ranks.buffer(rank, name, (rows + 2) * ROW)));
    const compute = ranks.map((rank) => ranks.stream(rank, 'compute'));
    const directions = [
      { name: 'up', by: -1, source: 1, destination: rows + 1 },
      { name: 'down', by: 1, source: rows, destination: 0 },
    ].map((direction) => ({ ...direction, streams: ranks.map((rank) => ranks.stream(rank, direction.name)) }));
    const neighbour = (rank: number, by: number) => (rank + by in slabs ? rank + by : undefined);
    for (let rank = 0; rank < devices; rank++) {
      ranks.enablePeerAccess(
        rank,
        directions.map(({ by }) => neighbour(rank, by) ?? rank),
      );
    }
    ranks.meet();
    /** That the rows to be sent are written. */
    let written: (Recorded | undefined)[] = [];
    for (let i = 0; i < iterations; i++) {
      const arriving = ranks.map((): Recorded[] => []);
      for (let rank = 0; rank < devices; rank++) {
        for (const { name, by, source, destination, streams } of directions) {
          const other = neighbour(rank, by);
          if (other === undefined) continue;
          const stream = at(streams, rank);
          const ready = written[rank];
          if (ready !== undefined) ranks.wait(stream, ready);
          const from = { buffer: at(at(slabs, rank), i % 2), offset: source * ROW };
          const to = { buffer: at(at(slabs, other), i % 2), offset: destination * ROW };
          ranks.copy(stream, from, to, ROW, `${name}#${i}`);
          at(arriving, other).push(ranks.record(stream));
        }
        if (devices > 1) ranks.tell(rank);
        const args = { from: at(at(slabs, rank), i % 2), to: at(at(slabs, rank), (i + 1) % 2) };
        ranks.launch(at(compute, rank), 'interior', args, `interior#${i}`);
      }
      written = ranks.map((rank) => {
        const stream = at(compute, rank);
        for (const arrived of at(arriving, rank)) ranks.wait(stream, arrived);
        const args = { from: at(at(slabs, rank), i % 2), to: at(at(slabs, rank), (i + 1) % 2) };
        ranks.launch(stream, 'boundary', args, `boundary#${i}`);
        const neighbours = at(arriving, rank).length;
        return i + 1 < iterations && neighbours > 0 ? ranks.record(stream, neighbours) : undefined;
      });
    }
    ranks.synchronize();
  },
});
