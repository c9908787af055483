import type { ProgramBuilder } from '../../builder.ts';
import { fma, load, store } from '../../phases.ts';
import type { Buffer } from '../../program.ts';
import { at } from '../support/at.ts';
import { tiling, viewOf } from '../support/chunks.ts';
import { type Bucket, gradientSums, sumParameter } from '../support/gradient-sums.ts';
import { count, flag, size } from '../support/parameters.ts';
import { Ranks, ranksParameters } from '../support/ranks.ts';
import { segmentsOf } from '../support/ring.ts';
import { defineScenario } from '../support/scenario.ts';

export const dataParallelStep = defineScenario({
  name: 'data-parallel-step',
  summary: 'Backward pass whose gradients are summed over the devices bucket by bucket while it goes on',
  description:
    'Backward kernels run from the last layer to the first and write gradients into buckets. When a bucket is complete an event lets another ' +
    'stream begin its all-reduce, beside the rest of the backward pass; the optimizer waits for the last. With `overlap=false` the all-reduces ' +
    'wait for the end of the backward pass. With one device there is nothing to sum.',
  params: {
    ...ranksParameters(2),
    layers: count(6, 'layers', 1, 256),
    bucket: count(2, 'layers of a bucket', 1, 256),
    bytes: size(
      '16MiB',
      'bytes of the gradients of a layer, rounded down to whole tiles of 16 KiB for each device',
      '1MiB',
      '1GiB',
    ),
    work: count(2000, 'iterations of four multiply-adds for each thread of a backward kernel (assumed)', 1, 100_000),
    overlap: flag(true, 'begin the all-reduce of a bucket when it is complete'),
    allReduce: sumParameter,
  },
  declare(program, { devices, devicesPerNode, host, layers, bucket, bytes, work, overlap, allReduce }) {
    const ranks = new Ranks(program, { devices, devicesPerNode, host });
    // Whole segments in every bucket, whatever its layers.
    const layerBytes = segmentsOf(bytes, devices, bytes).bytes * devices;
    declareKernels(program, layerBytes, work);
    const compute = ranks.map((rank) => ranks.stream(rank, 'compute'));
    const weights = ranks.map((rank) => bufferOfEach(layers, (i) => ranks.buffer(rank, `weights${i}_`, layerBytes)));
    const buckets = declareBuckets(ranks, program, layers, Math.min(layers, bucket), layerBytes);
    const sums = gradientSums(ranks, program, allReduce, Math.min(layers, bucket) * layerBytes);
    const last = buckets.at(-1);
    const launch = (kernel: string, rank: number, { layers: views }: LayerBucket) => {
      for (const { layer, gradients } of views) {
        const args = { weights: at(at(weights, rank), layer), gradient: at(gradients, rank) };
        ranks.launch(at(compute, rank), kernel, args, `${kernel}#${layer}`);
      }
    };

    for (let rank = 0; rank < devices; rank++) ranks.enablePeerAccess(rank, sums.peers(rank));
    ranks.meet();
    // All kernels before the sums, so that the backward pass never waits for their many calls.
    const complete = buckets.map((one) =>
      ranks.map((rank) => {
        launch('backward', rank, one);
        const waiting = at(sums.begin, rank).length;
        return waiting > 0 && (overlap || one === last) ? ranks.record(at(compute, rank), waiting) : undefined;
      }),
    );
    buckets.forEach((one, i) => {
      for (let rank = 0; rank < devices; rank++) {
        const recorded = overlap ? complete[i]?.[rank] : i === 0 ? complete.at(-1)?.[rank] : undefined;
        if (recorded !== undefined) for (const stream of at(sums.begin, rank)) ranks.wait(stream, recorded);
      }
      sums.sum(one);
    });
    for (let rank = 0; rank < devices; rank++) {
      ranks.gather(at(sums.end, rank), at(compute, rank));
      for (const one of buckets) launch('optimizer', rank, one);
    }
    ranks.synchronize();
  },
});

function bufferOfEach(layers: number, make: (layer: number) => Buffer): Buffer[] {
  return Array.from({ length: layers }, (_, layer) => make(layer));
}

function declareKernels(program: ProgramBuilder, layerBytes: number, work: number): void {
  const { grid, perBlock } = tiling(layerBytes);
  const part = (buffer: string) => ({ buffer, blockStride: perBlock });
  const common = { grid, block: 256, registersPerThread: 64, parameters: ['weights', 'gradient'] };
  program.kernel('backward', {
    ...common,
    phases: [load(perBlock, part('$weights')), fma(work), store(perBlock, part('$gradient'))],
  });
  program.kernel('optimizer', {
    ...common,
    phases: [
      load(perBlock, part('$gradient')),
      load(perBlock, part('$weights')),
      fma(8),
      store(perBlock, part('$weights')),
    ],
  });
}

interface LayerBucket extends Bucket {
  /** From the last to the first, each with its part of the gradients of every device. */
  readonly layers: readonly { readonly layer: number; readonly gradients: readonly Buffer[] }[];
}

/** Layers from the last to the first, so many in a bucket; the bucket of the first layers may be smaller. */
function declareBuckets(
  ranks: Ranks,
  program: ProgramBuilder,
  layers: number,
  size: number,
  layerBytes: number,
): LayerBucket[] {
  return Array.from({ length: Math.ceil(layers / size) }, (_, index) => {
    const last = layers - 1 - index * size;
    const number = Math.min(size, last + 1);
    const bytes = number * layerBytes;
    const gradients = ranks.map((rank) => ranks.buffer(rank, `gradients${index}_`, bytes));
    const views = Array.from({ length: number }, (_, i) => ({
      layer: last - i,
      gradients: gradients.map((buffer, rank) =>
        viewOf(program, buffer, i * layerBytes, layerBytes, `gradient${last - i}_${rank}`),
      ),
    }));
    return { index, bytes, gradients, layers: views };
  });
}
