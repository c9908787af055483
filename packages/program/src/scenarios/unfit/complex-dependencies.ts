import type { ProgramBuilder } from '../../builder.ts';
import type { KernelInput } from '../../inputs.ts';
import { fma, load, spin, store, trigger, wait } from '../../phases.ts';
import { modeParameter, pdlParameter } from '../support/common-parameters.ts';
import { LaunchChain } from '../support/launch-chain.ts';
import { choice, count } from '../support/parameters.ts';
import { runOnce } from '../support/run-once.ts';
import { defineScenario } from '../support/scenario.ts';

const BLOCKS = 64;
const ROWS = 16 * 1024;
const INDEX = 512;

export const complexDependencies = defineScenario({
  name: 'unfit-complex-dependencies',
  summary: 'PDL does not fit: many buffers between the kernels, and a wait that comes too late for one of them',
  description:
    'Expert routing: route writes indices, offsets and counts; dispatch gathers rows by them; the expert transforms the ' +
    'rows; combine scatters them back and clears the counts. With `wait=late` dispatch reads the offsets, and combine ' +
    'clears the counts, before the wait; with `wait=missing` dispatch never waits, so that whoever waits for it has not ' +
    'waited for route. Both are races with PDL and correct without it.',
  params: {
    layers: count(8, 'layers of four kernels', 1, 64),
    wait: choice('late', 'where dispatch and combine wait', ['correct', 'late', 'missing']),
    mode: modeParameter,
    pdl: pdlParameter,
  },
  declare(program, { layers, wait: place, mode, pdl }) {
    declareKernels(program, place);
    const rows = { bytes: BLOCKS * ROWS };
    const indices = { bytes: BLOCKS * INDEX };
    const x = program.buffer('x', rows);
    const [gathered, transformed] = [program.buffer('gathered', rows), program.buffer('transformed', rows)];
    const routing = {
      indices: program.buffer('indices', indices),
      offsets: program.buffer('offsets', indices),
      counts: program.buffer('counts', indices),
    };
    const weights = program.buffer('weights', rows);
    runOnce(program, {
      mode,
      input: x,
      output: x,
      enqueue(thread, stream) {
        const chain = new LaunchChain(thread, stream, pdl);
        for (let i = 0; i < layers; i++) {
          chain.launch('route', { x, ...routing });
          chain.launch('dispatch', { x, indices: routing.indices, offsets: routing.offsets, y: gathered });
          chain.launch('expert', { x: gathered, weights, y: transformed });
          chain.launch('combine', { x: transformed, ...routing, y: x });
        }
      },
    });
  },
});

type Place = 'correct' | 'late' | 'missing';
const own = (buffer: string, bytes: number) => ({ buffer, blockStride: bytes });
const loadOwn = (buffer: string, bytes: number) => load(bytes, own(buffer, bytes));
const storeOwn = (buffer: string, bytes: number) => store(bytes, own(buffer, bytes));

function declareKernels(program: ProgramBuilder, place: Place): void {
  const kernel = (name: string, parameters: string[], phases: KernelInput['phases']) =>
    program.kernel(name, { grid: BLOCKS, block: 256, parameters, phases });
  kernel(
    'route',
    ['x', 'indices', 'offsets', 'counts'],
    [
      spin('200ns'),
      wait(),
      loadOwn('$x', ROWS),
      trigger(),
      fma(50),
      storeOwn('$indices', INDEX),
      storeOwn('$offsets', INDEX),
      storeOwn('$counts', INDEX),
    ],
  );
  const offsets = load(INDEX, { buffer: '$offsets', bytes: BLOCKS * INDEX });
  const before = { correct: [wait(), offsets], late: [offsets, wait()], missing: [offsets] }[place];
  const rows = load(ROWS, { buffer: '$x', bytes: BLOCKS * ROWS });
  kernel(
    'dispatch',
    ['x', 'indices', 'offsets', 'y'],
    [spin('200ns'), ...before, loadOwn('$indices', INDEX), rows, trigger(), storeOwn('$y', ROWS)],
  );
  kernel(
    'expert',
    ['x', 'weights', 'y'],
    [loadOwn('$weights', ROWS), wait(), loadOwn('$x', ROWS), trigger(), fma(200), storeOwn('$y', ROWS)],
  );
  const clear = storeOwn('$counts', INDEX);
  const start = place === 'correct' ? [wait(), clear] : [clear, wait()];
  kernel(
    'combine',
    ['x', 'indices', 'offsets', 'counts', 'y'],
    [
      spin('200ns'),
      ...start,
      loadOwn('$indices', INDEX),
      offsets,
      loadOwn('$x', ROWS),
      trigger(),
      storeOwn('$y', ROWS),
    ],
  );
}
