import { at } from '../support/at.ts';
import { Additions, chunksOf, produce, wholeTiles } from '../support/chunks.ts';
import { size } from '../support/parameters.ts';
import { Ranks, ranksParameters } from '../support/ranks.ts';
import { defineScenario } from '../support/scenario.ts';
import { childrenOf, parentOf, treeAllReduce, treeInboxes } from '../support/tree.ts';

export const treeAllreduce = defineScenario({
  name: 'tree-allreduce',
  summary: 'All-reduce in a binary tree: sums go up to device 0, the result comes down, chunk after chunk',
  description:
    'Device r has the children 2 r + 1 and 2 r + 2. A child copies a chunk into memory of its parent that is kept for it, the parent adds it ' +
    'to its own and sends the sum up; from device 0 the sum is copied down. Going up and coming down have a stream each, so that a chunk ' +
    'comes down while the next goes up. A chunk is copied 2 (n - 1) times, as in a ring, but the last device has it after 2 log2(n) copies ' +
    'instead of 2 (n - 1), and a device with two children sends all of the data three times. With one device nothing is sent.',
  params: {
    ...ranksParameters(4, 'devices in the tree'),
    bytes: size('64MiB', 'bytes of each device, rounded down to whole tiles of 16 KiB', '16KiB', '16GiB'),
    chunkBytes: size('16MiB', 'bytes of a chunk, rounded down to whole tiles', '16KiB', '1GiB'),
  },
  declare(program, { devices, devicesPerNode, host, bytes: asked, chunkBytes }) {
    const bytes = wholeTiles(asked);
    const ranks = new Ranks(program, { devices, devicesPerNode, host });
    program.kernel('produce', produce(bytes));
    const data = ranks.map((rank) => ranks.buffer(rank, 'data', bytes));
    const up = ranks.map((rank) => ranks.stream(rank, 'up'));
    const down = ranks.map((rank) => ranks.stream(rank, 'down'));
    for (let rank = 0; rank < devices; rank++) {
      ranks.enablePeerAccess(rank, [parentOf(rank) ?? rank, ...childrenOf(rank, devices)]);
    }
    ranks.meet();
    for (let rank = 0; rank < devices; rank++) {
      ranks.launch(at(up, rank), 'produce', { y: at(data, rank) }, 'produce');
    }
    if (devices > 1) {
      const inboxes = treeInboxes(ranks, bytes);
      const additions = new Additions(program);
      treeAllReduce(ranks, { chunks: chunksOf(bytes, chunkBytes), data, inboxes, additions, up, down });
    }
    ranks.synchronize();
  },
});
