import { load, spin, store } from '../../phases.ts';
import { at } from '../support/at.ts';
import { tiling, wholeTiles } from '../support/chunks.ts';
import type { Recorded } from '../support/event-pool.ts';
import { count, flag, size } from '../support/parameters.ts';
import { Ranks, ranksParameters } from '../support/ranks.ts';
import { defineScenario } from '../support/scenario.ts';

export const portablePeerCopy = defineScenario({
  name: 'portable-peer-copy',
  summary: "A copy in the destination's stream after a wait for the source's event, down a chain of devices",
  description:
    "The portable form of a dependency between devices: the source records an event, the destination's stream waits for it and makes the copy. " +
    'Items go down the chain: each device copies an item from the device before, works on it and records. Outputs take turns over two buffers; ' +
    'before a device writes one again it waits for the event that the next device recorded after the copy. With `peerAccess=false` every copy is staged through the host: ' +
    'correct, but slower, and the call blocks (docs/RULES.md 6.9). With one device there is no copy.',
  params: {
    ...ranksParameters(2, 'devices in the chain'),
    items: count(4, 'items that go down the chain', 1, 256),
    bytes: size('16MiB', 'bytes of an item, rounded down to whole tiles of 16 KiB', '16KiB', '1GiB'),
    work: count(20, 'microseconds of work on an item beside reading and writing it (assumed)', 0, 10_000),
    peerAccess: flag(true, 'enable access to the memory of the device before'),
  },
  declare(program, { devices, devicesPerNode, host, items, bytes: asked, work, peerAccess }) {
    const bytes = wholeTiles(asked);
    const ranks = new Ranks(program, { devices, devicesPerNode, host });
    const { grid, perBlock } = tiling(bytes);
    // All blocks but the resident ones wait for room; the work is divided among the waves of an H200, 8 blocks an SM.
    const waves = Math.ceil(grid / (132 * 8));
    program.kernel('work', {
      grid,
      block: 256,
      parameters: ['x', 'y'],
      phases: [
        load(perBlock, { buffer: '$x', blockStride: perBlock }),
        spin(Math.round((work * 1_000_000) / waves)),
        store(perBlock, { buffer: '$y', blockStride: perBlock }),
      ],
    });
    const streams = ranks.map((rank) => ranks.stream(rank, 'main'));
    const inputs = ranks.map((rank) => ranks.buffer(rank, 'input', bytes));
    const outputs = ranks.map((rank) => [0, 1].map((slot) => ranks.buffer(rank, `output${slot}_`, bytes)));
    if (peerAccess) for (let rank = 1; rank < devices; rank++) ranks.enablePeerAccess(rank, [rank - 1]);
    ranks.meet();
    /** That both outputs of each device have been copied, where they are written again. */
    const copied = ranks.map((): (Recorded | undefined)[] => [undefined, undefined]);
    for (let item = 0; item < items; item++) {
      const slot = item % 2;
      let before: Recorded | undefined;
      for (let rank = 0; rank < devices; rank++) {
        const stream = at(streams, rank);
        if (before !== undefined) {
          ranks.wait(stream, before);
          const source = { buffer: at(at(outputs, rank - 1), slot), offset: 0 };
          ranks.copy(stream, source, { buffer: at(inputs, rank), offset: 0 }, bytes, `copy#${item}`);
          at(copied, rank - 1)[slot] = item + 2 < items ? ranks.record(stream) : undefined;
        }
        const free = at(copied, rank)[slot];
        if (free !== undefined) ranks.wait(stream, free);
        ranks.launch(stream, 'work', { x: at(inputs, rank), y: at(at(outputs, rank), slot) }, `work#${item}`);
        before = rank + 1 < devices ? ranks.record(stream) : undefined;
        if (devices > 1) ranks.tell(rank);
      }
    }
    ranks.synchronize();
  },
});
