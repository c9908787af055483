import { modeParameter, pdlParameter } from './support/common-parameters.ts';
import { LaunchChain } from './support/launch-chain.ts';
import { count } from './support/parameters.ts';
import { elementwise } from './support/row-kernels.ts';
import { runOnce } from './support/run-once.ts';
import { defineScenario } from './support/scenario.ts';

const PER_BLOCK = 64 * 1024;

export const saturatedChain = defineScenario({
  name: 'saturated-chain',
  summary: 'Large kernels that use all of the memory bandwidth: PDL lowers latency, so here it gains next to nothing',
  description:
    'Elementwise kernels of several waves, each reading and writing the whole of a large buffer. A trigger counts only ' +
    'once the last wave has begun (docs/RULES.md 1.4), and what could overlap would share the same bandwidth (7.13).',
  params: {
    kernels: count(12, 'kernels', 1, 128),
    blocks: count(4224, 'blocks of a kernel, 64 KiB each', 1, 65_536),
    mode: modeParameter,
    pdl: pdlParameter,
  },
  declare(program, { kernels, blocks, mode, pdl }) {
    const bytes = blocks * PER_BLOCK;
    program.kernel('scale', elementwise(bytes, PER_BLOCK));
    const even = program.buffer('even', { bytes });
    const odd = program.buffer('odd', { bytes });
    const parameters = program.buffer('parameters', { bytes: 4096, allocation: even.name });
    const sum = program.buffer('sum', { bytes: 4096, allocation: (kernels % 2 === 0 ? even : odd).name });
    runOnce(program, {
      mode,
      input: parameters,
      output: sum,
      enqueue(thread, stream) {
        const chain = new LaunchChain(thread, stream, pdl);
        for (let i = 0; i < kernels; i++) {
          chain.launch('scale', i % 2 === 0 ? { x: even, y: odd } : { x: odd, y: even });
        }
      },
    });
  },
});
