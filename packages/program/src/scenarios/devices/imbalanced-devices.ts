import { fma, load, store } from '../../phases.ts';
import { at } from '../support/at.ts';
import { TILE } from '../support/chunks.ts';
import { count } from '../support/parameters.ts';
import { Ranks, ranksParameters } from '../support/ranks.ts';
import { defineScenario } from '../support/scenario.ts';

const { devices, host } = ranksParameters(4);

export const imbalancedDevices = defineScenario({
  name: 'imbalanced-devices',
  summary: 'One device has more work than the others, which wait for it at the end of every round',
  description:
    'Each device works on blocks of its own; the last has more of them. At the end of a round the stream of device 0 waits for an event of each ' +
    'other, and they for one of its own. No block moves to an idle device: the geometry is chosen for each device, and imbalance shows as ' +
    'idle time (docs/RULES.md 7.16). `extra=0` is the balanced case. With one device there is nobody to wait for.',
  params: {
    devices,
    host,
    rounds: count(4, 'rounds of work', 1, 256),
    blocks: count(1056, 'blocks of a kernel; 1056 are 8 for each SM of an H200', 1, 65_536),
    extra: count(50, 'percent of blocks that the last device has in addition', 0, 1000),
  },
  declare(program, { devices, host, rounds, blocks, extra }) {
    const ranks = new Ranks(program, { devices, host });
    const more = blocks + Math.round((blocks * extra) / 100);
    const work = (grid: number) => ({
      grid,
      block: 256,
      parameters: ['x'],
      phases: [
        load(TILE, { buffer: '$x', blockStride: TILE }),
        fma(2000),
        store(TILE, { buffer: '$x', blockStride: TILE }),
      ],
    });
    program.kernel('work', work(blocks));
    program.kernel('moreWork', work(more));
    const has = (rank: number) => (rank === devices - 1 ? more : blocks);
    const buffers = ranks.map((rank) => ranks.buffer(rank, 'x', has(rank) * TILE));
    const streams = ranks.map((rank) => ranks.stream(rank, 'main'));
    const [root, ...others] = streams;
    ranks.meet();
    for (let round = 0; round < rounds; round++) {
      for (let rank = 0; rank < devices; rank++) {
        const kernel = has(rank) === blocks ? 'work' : 'moreWork';
        ranks.launch(at(streams, rank), kernel, { x: at(buffers, rank) }, `${kernel}#${round}`);
      }
      if (root === undefined || others.length === 0) continue;
      ranks.gather(others, root);
      ranks.spread(root, others);
    }
    ranks.synchronize();
  },
});
