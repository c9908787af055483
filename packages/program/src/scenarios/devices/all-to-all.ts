import { at } from '../support/at.ts';
import { consume, produce, wholeTiles } from '../support/chunks.ts';
import { size } from '../support/parameters.ts';
import { Ranks, ranksParameters } from '../support/ranks.ts';
import { defineScenario } from '../support/scenario.ts';

export const allToAll = defineScenario({
  name: 'all-to-all',
  summary: 'Every device sends a different part of its data to every other, as experts or a transposition need it',
  description:
    'A kernel packs a part for each device, one after another in memory; n - 1 copies of each device take them to their places, and a kernel ' +
    'reads what arrived. Device r begins with r + 1 and goes round, so that no two send to the same device at the same time. The part for ' +
    'itself is copied within the device. Each device records once, after its last copy, and waits for the records of all others: n (n - 1) ' +
    'copies and as many waits. With one device only its own part is copied.',
  params: {
    ...ranksParameters(4),
    bytes: size(
      '64MiB',
      'bytes that a device packs, rounded down to whole tiles of 16 KiB for each device',
      '16KiB',
      '16GiB',
    ),
  },
  declare(program, { devices, devicesPerNode, host, bytes }) {
    const ranks = new Ranks(program, { devices, devicesPerNode, host });
    const part = wholeTiles(bytes / devices);
    const whole = part * devices;
    program.kernel('pack', produce(whole));
    program.kernel('unpack', consume(whole));
    const packed = ranks.map((rank) => ranks.buffer(rank, 'packed', whole));
    const received = ranks.map((rank) => ranks.buffer(rank, 'received', whole));
    const streams = ranks.map((rank) => ranks.stream(rank, 'main'));
    const others = ranks.map((rank) => Array.from({ length: devices - 1 }, (_, i) => (rank + 1 + i) % devices));
    for (let rank = 0; rank < devices; rank++) ranks.enablePeerAccess(rank, at(others, rank));
    ranks.meet();
    const sent = ranks.map((rank) => {
      const stream = at(streams, rank);
      ranks.launch(stream, 'pack', { y: at(packed, rank) }, 'pack');
      for (const other of at(others, rank)) {
        const source = { buffer: at(packed, rank), offset: other * part };
        ranks.copy(stream, source, { buffer: at(received, other), offset: rank * part }, part, `to${other}`);
      }
      const recorded = devices > 1 ? ranks.record(stream, devices - 1) : undefined;
      if (devices > 1) ranks.tell(rank);
      const own = { offset: rank * part, bytes: part };
      ranks.on(rank).memcpyAsync('deviceToDevice', part, stream, {
        source: { buffer: at(packed, rank), ...own },
        destination: { buffer: at(received, rank), ...own },
      });
      return recorded;
    });
    for (let rank = 0; rank < devices; rank++) {
      const stream = at(streams, rank);
      for (const other of at(others, rank)) {
        const recorded = at(sent, other);
        if (recorded !== undefined) ranks.wait(stream, recorded);
      }
      ranks.launch(stream, 'unpack', { x: at(received, rank) }, 'unpack');
    }
    ranks.synchronize();
  },
});
