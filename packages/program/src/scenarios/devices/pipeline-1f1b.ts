import type { ProgramBuilder } from '../../builder.ts';
import { load, spin, store } from '../../phases.ts';
import type { Buffer, Stream } from '../../program.ts';
import { at } from '../support/at.ts';
import { tiling, wholeTiles } from '../support/chunks.ts';
import type { Recorded } from '../support/event-pool.ts';
import { oneForwardOneBackward, type Pass } from '../support/one-forward-one-backward.ts';
import { count, size } from '../support/parameters.ts';
import { Ranks, ranksParameters } from '../support/ranks.ts';
import { defineScenario } from '../support/scenario.ts';

/** Results wait here for their copy while the next is computed. */
const OUTPUTS = 2;
/** Blocks of a kernel: one an SM, to stand for a stage's many kernels. */
const BLOCKS = 128;

export const pipeline1f1b = defineScenario({
  name: 'pipeline-1f1b',
  summary:
    'Pipeline-parallel training, a stage a device, each in turn one forward and one backward once the pipe is full',
  description:
    'Stage r runs n - 1 - r forward passes, then forward and backward in turn, then the backward passes that are left, so that no more than ' +
    'n - r microbatches are in flight there. Activations go down and gradients up the stages by peer copies in streams of their own, ordered ' +
    'by events. Inputs have a slot more than microbatches in flight, so that none is overwritten before its backward pass, without waits for it. ' +
    'A pass is one kernel that stands for the many of a stage; the backward pass takes twice as long, as usual (assumed). The bubble is ' +
    '(n - 1) / (microbatches + n - 1) of the time if copies cost nothing. With one device there are no copies.',
  params: {
    ...ranksParameters(4, 'stages, a device each'),
    microbatches: count(8, 'microbatches', 1, 1024),
    bytes: size('16MiB', 'activations of a microbatch between two stages, rounded down to 2 MiB', '2MiB', '1GiB'),
    forward: count(200, 'microseconds of a forward pass beside reading and writing activations (assumed)', 1, 100_000),
  },
  declare(program, { devices, devicesPerNode, host, microbatches, bytes: asked, forward }) {
    const bytes = Math.floor(asked / 2 ** 21) * 2 ** 21;
    const ranks = new Ranks(program, { devices, devicesPerNode, host });
    declareKernels(program, bytes, forward);
    const stages = ranks.map((rank) => declareStage(ranks, rank, microbatches, bytes));
    for (let rank = 0; rank < devices; rank++) {
      ranks.enablePeerAccess(rank, [Math.max(0, rank - 1), Math.min(devices - 1, rank + 1)]);
    }
    ranks.meet();
    for (const pass of oneForwardOneBackward(devices, microbatches)) {
      enqueue(ranks, stages, { bytes, microbatches }, pass);
    }
    for (const stage of stages)
      ranks.launch(stage.compute, 'optimizer', { gradient: stage.weightGradient }, 'optimizer');
    ranks.synchronize();
  },
});

/** What goes from one stage to the next, forward or backward. */
interface Way {
  readonly inputs: readonly Buffer[];
  readonly outputs: readonly Buffer[];
  readonly stream: Stream;
  /** By microbatch: that it has arrived, and that it has been sent. */
  readonly arrived: Map<number, Recorded>;
  readonly sent: Map<number, Recorded>;
}

interface Stage {
  readonly compute: Stream;
  readonly weightGradient: Buffer;
  readonly forward: Way;
  readonly backward: Way;
}

function declareStage(ranks: Ranks, rank: number, microbatches: number, bytes: number): Stage {
  const slots = Math.min(microbatches, ranks.count - rank + 1);
  const buffers = (name: string, number: number) =>
    Array.from({ length: number }, (_, i) => ranks.buffer(rank, `${name}${i}_`, bytes));
  const way = (input: string, output: string, stream: string): Way => ({
    inputs: buffers(input, slots),
    outputs: buffers(output, OUTPUTS),
    stream: ranks.stream(rank, stream),
    arrived: new Map(),
    sent: new Map(),
  });
  return {
    compute: ranks.stream(rank, 'compute'),
    weightGradient: ranks.buffer(rank, 'weightGradient', bytes),
    forward: way('activation', 'output', 'down'),
    backward: way('gradient', 'inputGradient', 'up'),
  };
}

/** A pass of a stage, and the copy of its result to the next stage on the way. */
function enqueue(
  ranks: Ranks,
  stages: readonly Stage[],
  { bytes, microbatches }: { readonly bytes: number; readonly microbatches: number },
  { stage: rank, pass, microbatch }: Pass,
): void {
  const stage = at(stages, rank);
  const way = stage[pass];
  const to = pass === 'forward' ? rank + 1 : rank - 1;
  const next = stages[to];
  const slot = <T>(list: readonly T[]) => at(list, microbatch % list.length);
  const output = slot(way.outputs);
  for (const recorded of [take(way.arrived, microbatch), take(way.sent, microbatch - OUTPUTS)]) {
    if (recorded !== undefined) ranks.wait(stage.compute, recorded);
  }
  const activation = slot(stage.forward.inputs);
  const args =
    pass === 'forward'
      ? { x: activation, y: output }
      : { x: activation, dy: slot(way.inputs), dx: output, gradient: stage.weightGradient };
  ranks.launch(stage.compute, pass, args, `${pass}#${microbatch}`);
  if (next === undefined) return;
  ranks.spread(stage.compute, [way.stream]);
  const source = { buffer: output, offset: 0 };
  const target = { buffer: slot(next[pass].inputs), offset: 0 };
  ranks.copy(way.stream, source, target, bytes, `${pass === 'forward' ? 'activation' : 'gradient'}#${microbatch}`);
  const outputNeeded = microbatch + OUTPUTS < microbatches;
  const recorded = ranks.record(way.stream, outputNeeded ? 2 : 1);
  next[pass].arrived.set(microbatch, recorded);
  if (outputNeeded) way.sent.set(microbatch, recorded);
  ranks.tell(rank);
}

function take<T>(map: Map<number, T>, key: number): T | undefined {
  const value = map.get(key);
  map.delete(key);
  return value;
}

function declareKernels(program: ProgramBuilder, bytes: number, forward: number): void {
  const each = bytes / BLOCKS;
  const part = (buffer: string) => ({ buffer, blockStride: each });
  const shape = { grid: BLOCKS, block: 512, registersPerThread: 64 };
  program.kernel('forward', {
    ...shape,
    parameters: ['x', 'y'],
    phases: [load(each, part('$x')), spin(forward * 1_000_000), store(each, part('$y'))],
  });
  program.kernel('backward', {
    ...shape,
    parameters: ['x', 'dy', 'dx', 'gradient'],
    phases: [
      load(each, part('$dy')),
      load(each, part('$x')),
      spin(2 * forward * 1_000_000),
      store(each, part('$dx')),
      // Adds to what earlier microbatches left.
      load(each, part('$gradient')),
      store(each, part('$gradient')),
    ],
  });
  const { grid, perBlock } = tiling(wholeTiles(bytes));
  program.kernel('optimizer', {
    grid,
    block: 256,
    parameters: ['gradient'],
    phases: [load(perBlock, { buffer: '$gradient', blockStride: perBlock }), spin('1us')],
  });
}
