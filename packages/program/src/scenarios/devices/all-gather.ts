import { at } from '../support/at.ts';
import { consume, produce } from '../support/chunks.ts';
import { size } from '../support/parameters.ts';
import { Ranks, ranksParameters } from '../support/ranks.ts';
import { nextInRing, ringAllGather, ringChannels, segmentsOf } from '../support/ring.ts';
import { defineScenario } from '../support/scenario.ts';

export const allGather = defineScenario({
  name: 'all-gather',
  summary: 'All-gather in a ring: each device makes a segment, all segments go round, then each device reads them all',
  description:
    'As weights that are sharded over the devices are gathered before a layer needs them. Segments are copied straight to their place in the ' +
    "right neighbour's memory, in chunks that take turns over two streams, and sent on from there: n - 1 steps, in each of which every device " +
    'sends one segment. The kernel that reads the gathered data waits for all channels. With one device nothing is sent.',
  params: {
    ...ranksParameters(4, 'devices in the ring'),
    bytes: size('64MiB', 'gathered bytes, rounded down to whole tiles of 16 KiB for each device', '16KiB', '16GiB'),
    chunkBytes: size(
      '4MiB',
      'largest part of a segment that is sent as one, rounded down to whole tiles',
      '16KiB',
      '1GiB',
    ),
  },
  declare(program, { devices, devicesPerNode, host, bytes, chunkBytes }) {
    const ranks = new Ranks(program, { devices, devicesPerNode, host });
    const segments = segmentsOf(bytes, devices, chunkBytes);
    const whole = segments.bytes * devices;
    program.kernel('produce', produce(segments.bytes));
    program.kernel('consume', consume(whole));
    const data = ranks.map((rank) => ranks.buffer(rank, 'data', whole));
    const channels = ringChannels(ranks, segments);
    for (let rank = 0; rank < devices; rank++) ranks.enablePeerAccess(rank, [nextInRing(rank, devices)]);
    ranks.meet();
    for (let rank = 0; rank < devices; rank++) {
      const { name: allocation } = at(data, rank);
      const offset = rank * segments.bytes;
      const own = program.buffer(`own${rank}`, { bytes: segments.bytes, device: rank, allocation, offset });
      const [first, ...others] = at(channels, rank);
      ranks.launch(first, 'produce', { y: own }, 'produce');
      ranks.spread(first, others);
    }
    ringAllGather(ranks, { segments, data, channels });
    for (let rank = 0; rank < devices; rank++) {
      const [first, ...others] = at(channels, rank);
      ranks.gather(others, first);
      ranks.launch(first, 'consume', { x: at(data, rank) }, 'consume');
    }
    ranks.synchronize();
  },
});
