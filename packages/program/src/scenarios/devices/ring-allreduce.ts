import { at } from '../support/at.ts';
import { Additions, produce } from '../support/chunks.ts';
import { size } from '../support/parameters.ts';
import { Ranks, ranksParameters } from '../support/ranks.ts';
import { nextInRing, ringAllReduce, ringChannels, segmentsOf } from '../support/ring.ts';
import { defineScenario } from '../support/scenario.ts';

export const ringAllreduce = defineScenario({
  name: 'ring-allreduce',
  summary: 'All-reduce in a ring of peer copies and additions: reduce-scatter, then all-gather, in chunks',
  description:
    "The data are divided into a segment for each device. In the first n - 1 steps every device sends a segment to its right neighbour's " +
    'scratch memory, which adds it to its own and sends it on; in the next n - 1 steps the sums go round. So each device sends 2 (n - 1) / n ' +
    'of the data. A segment is sent in chunks that take turns over two streams a device: one is copied while another is added. Events order ' +
    'the devices, nothing else does. There are 2 (n - 1) copies of each chunk of the whole data. With one device nothing is sent.',
  params: {
    ...ranksParameters(4, 'devices in the ring'),
    bytes: size(
      '64MiB',
      'bytes of each device, rounded down to whole tiles of 16 KiB for each device',
      '16KiB',
      '16GiB',
    ),
    chunkBytes: size(
      '16MiB',
      'largest part of a segment that is sent as one, rounded down to whole tiles',
      '16KiB',
      '1GiB',
    ),
  },
  declare(program, { devices, devicesPerNode, host, bytes, chunkBytes }) {
    const ranks = new Ranks(program, { devices, devicesPerNode, host });
    const segments = segmentsOf(bytes, devices, chunkBytes);
    const whole = segments.bytes * devices;
    program.kernel('produce', produce(whole));
    const data = ranks.map((rank) => ranks.buffer(rank, 'data', whole));
    const channels = ringChannels(ranks, segments);
    for (let rank = 0; rank < devices; rank++) {
      ranks.enablePeerAccess(rank, [nextInRing(rank, devices)]);
    }
    ranks.meet();
    for (let rank = 0; rank < devices; rank++) {
      const [first, ...others] = at(channels, rank);
      ranks.launch(first, 'produce', { y: at(data, rank) }, 'produce');
      ranks.spread(first, others);
    }
    if (devices > 1) {
      const scratch = ranks.map((rank) => ranks.buffer(rank, 'scratch', whole));
      ringAllReduce(ranks, { segments, data, scratch, channels, additions: new Additions(program) });
    }
    ranks.synchronize();
  },
});
