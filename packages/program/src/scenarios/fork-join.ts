import type { HostThreadBuilder } from '../host-thread-builder.ts';
import type { Stream } from '../program.ts';
import { modeParameter, pdlParameter } from './support/common-parameters.ts';
import { LaunchChain } from './support/launch-chain.ts';
import { count } from './support/parameters.ts';
import { elementwise } from './support/row-kernels.ts';
import { runOnce } from './support/run-once.ts';
import { defineScenario } from './support/scenario.ts';

const PER_BLOCK = 4096;
const BYTES = 64 * PER_BLOCK;

export const forkJoin = defineScenario({
  name: 'fork-join',
  summary: 'A producer, branches in streams of their own that wait on its event, and a join of all of them',
  description:
    'Events without timing carry the dependencies between streams. With PDL the kernels within a branch overlap; the ' +
    "first of each branch does not, since its predecessor is an event's wait.",
  params: {
    rounds: count(6, 'forks and joins, one after another', 1, 64),
    branches: count(4, 'branches', 1, 16),
    depth: count(3, 'kernels in a branch', 1, 16),
    mode: modeParameter,
    pdl: pdlParameter,
  },
  declare(program, { rounds, branches, depth, mode, pdl }) {
    program.kernel('split', elementwise(BYTES, PER_BLOCK));
    program.kernel('work', elementwise(BYTES, PER_BLOCK));
    program.kernel('join', elementwise(BYTES, PER_BLOCK, branches));
    const x = program.buffer('x', { bytes: BYTES });
    const shared = program.buffer('shared', { bytes: BYTES });
    const results = program.buffer('results', { bytes: BYTES * branches });
    const forked = program.event('forked', { timing: false });
    const lanes = Array.from({ length: branches }, (_, i) => ({
      stream: program.stream(`branch${i}`, { kind: 'nonBlocking' }),
      done: program.event(`done${i}`, { timing: false }),
      part: program.buffer(`part${i}`, { bytes: BYTES, allocation: results.name, offset: i * BYTES }),
    }));
    const enqueue = (thread: HostThreadBuilder, stream: Stream) => {
      const main = new LaunchChain(thread, stream, pdl);
      const chains = lanes.map((lane) => new LaunchChain(thread, lane.stream, pdl, `${lane.stream.name}/`));
      for (let round = 0; round < rounds; round++) {
        main.launch('split', { x, y: shared });
        thread.eventRecord(forked, stream);
        lanes.forEach((lane, i) => {
          const chain = chains[i] as LaunchChain;
          thread.streamWaitEvent(lane.stream, forked);
          chain.interrupted();
          for (let k = 0; k < depth; k++) chain.launch('work', { x: k === 0 ? shared : lane.part, y: lane.part });
          thread.eventRecord(lane.done, lane.stream);
        });
        for (const lane of lanes) thread.streamWaitEvent(stream, lane.done);
        main.interrupted();
        main.launch('join', { x: results, y: x });
      }
    };
    runOnce(program, { mode, input: x, output: x, enqueue });
  },
});
