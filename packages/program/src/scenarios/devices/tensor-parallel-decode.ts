import type { ProgramBuilder } from '../../builder.ts';
import type { KernelInput } from '../../inputs.ts';
import { blockBarrier, fma, load, spin, store, trigger, wait } from '../../phases.ts';
import type { Buffer, Stream } from '../../program.ts';
import { at } from '../support/at.ts';
import { attentionSizes, declareAttention } from '../support/attention.ts';
import { Additions, TILE } from '../support/chunks.ts';
import { pdlParameter } from '../support/common-parameters.ts';
import { ELEMENT, type GemmShape, gemm, gemmBytes } from '../support/gemm.ts';
import { LaunchChain } from '../support/launch-chain.ts';
import { count } from '../support/parameters.ts';
import { Ranks, ranksParameters } from '../support/ranks.ts';
import { reductionParameter } from '../support/reduction.ts';
import { elementwise, rmsNorm } from '../support/row-kernels.ts';
import { defineScenario } from '../support/scenario.ts';
import { childrenOf, parentOf, treeAllReduce, treeInboxes } from '../support/tree.ts';

const BATCH = 8;
/** The shapes of Llama 3 8B: width, feed-forward width, vocabulary; 32 heads of 128 in 8 groups. */
const HIDDEN = 4096;
const FEED_FORWARD = 14_336;
const VOCABULARY = 128_256;
const GROUP_WIDTH = 512;
const CONTEXT = 1024;
const ROW = HIDDEN * ELEMENT;
const RESULT = BATCH * ROW;

export const tensorParallelDecode = defineScenario({
  name: 'tensor-parallel-decode',
  summary: 'Decode steps of a language model whose layers are divided over the devices, with two all-reduces a layer',
  description:
    'Layers with the shapes of Llama 3 8B and eight sequences. Each device has its share of the heads and of the feed-forward width, so its ' +
    'kernels shrink with the number of devices (attention no further than to one group of heads, which more devices than eight repeat), ' +
    'and after attention and after the feed-forward network all devices add up their 64 KiB. Within a half of a layer kernels are launched with PDL; the ' +
    'kernel after an all-reduce is not, since its predecessor is none. `allReduce=copies` goes up and down a binary tree of ' +
    'peer copies. At the end of a step every host thread downloads the next ids. With one device nothing is added.',
  params: {
    ...ranksParameters(2),
    layers: count(2, 'layers of nine kernels', 1, 128),
    steps: count(2, 'tokens of each sequence', 1, 64),
    pdl: pdlParameter,
    allReduce: reductionParameter,
  },
  declare(program, { devices, devicesPerNode, host, layers, steps, pdl, allReduce }) {
    const ranks = new Ranks(program, { devices, devicesPerNode, host });
    const shapes = shapesOf(devices);
    declareKernels(program, shapes);
    const models = ranks.map((rank) => declareModel(ranks, program, rank, layers, shapes));
    const streams = models.map((model) => model.stream);
    const chains = ranks.map((rank) => new LaunchChain(ranks.thread(rank), at(streams, rank), pdl, `rank${rank}/`));
    const reduce = allReduce === 'copies' ? byCopies(ranks, program, models) : byCollective(ranks, streams);
    /** Every device in turn launches; then all add up, unless there is but one. */
    const part = (launch: (model: Model, chain: LaunchChain) => void, sums: boolean, name: string) => {
      models.forEach((model, rank) => {
        ranks.on(rank);
        launch(model, at(chains, rank));
      });
      if (!sums || devices === 1) return;
      reduce(name);
      for (const chain of chains) chain.interrupted();
    };
    ranks.meet();
    for (let step = 0; step < steps; step++) {
      models.forEach((model, rank) => {
        const thread = ranks.on(rank);
        thread.hostWrite(model.hostIds);
        thread.memcpyAsync('hostToDevice', model.ids.bytes, model.stream, {
          source: model.hostIds,
          destination: model.ids,
        });
        at(chains, rank).interrupted();
      });
      part((m, chain) => chain.launch('embed', { ids: m.ids, table: m.table, y: m.x, part: m.part }), false, 'embed');
      for (let layer = 0; layer < layers; layer++) {
        const name = `step${step}/layer${layer}`;
        part((m, chain) => attentionHalf(m, chain, layer), true, `${name}/attention/`);
        part((m, chain) => feedForwardHalf(m, chain, layer), true, `${name}/feedForward/`);
      }
      // Each device looks for the best ids among its share of the vocabulary; the sums stand for the choice among all.
      part((m, chain) => head(m, chain), true, `step${step}/head/`);
      models.forEach((model, rank) => {
        const thread = ranks.on(rank);
        thread.memcpyAsync('deviceToHost', model.ids.bytes, model.stream, {
          source: { buffer: model.part, bytes: model.ids.bytes },
          destination: model.hostIds,
        });
      });
      models.forEach((model, rank) => {
        const thread = ranks.on(rank);
        thread.streamSynchronize(model.stream);
        thread.hostRead(model.hostIds);
      });
    }
  },
});

function shapesOf(devices: number) {
  const share = (whole: number, multiple: number) => Math.ceil(whole / devices / multiple) * multiple;
  const heads = share(HIDDEN, GROUP_WIDTH);
  const attention = { batch: BATCH, hidden: heads, context: CONTEXT, splits: 4 };
  const inner = share(FEED_FORWARD, 64);
  return {
    attention,
    inner,
    qkv: { batch: BATCH, k: HIDDEN, n: attentionSizes(attention).projected, tile: 16 },
    proj: { batch: BATCH, k: heads, n: HIDDEN, tile: 32 },
    up: { batch: BATCH, k: HIDDEN, n: 2 * inner, tile: 32 },
    down: { batch: BATCH, k: inner, n: HIDDEN, tile: 32 },
    head: { batch: BATCH, k: HIDDEN, n: share(VOCABULARY, 32), tile: 32 },
  } satisfies Record<string, GemmShape | typeof attention | number>;
}
type Shapes = ReturnType<typeof shapesOf>;

function declareKernels(program: ProgramBuilder, shapes: Shapes): void {
  for (const name of ['qkv', 'proj', 'up', 'down', 'head'] as const) program.kernel(name, gemm(shapes[name]));
  declareAttention(program, shapes.attention);
  program.kernel('silu', elementwise(BATCH * shapes.inner * ELEMENT, 1024, 2));
  program.kernel('addNorm', addNorm());
  program.kernel('embed', {
    grid: BATCH,
    block: 256,
    parameters: ['ids', 'table', 'y', 'part'],
    phases: [
      load(4, { buffer: '$ids', blockStride: 4 }),
      load(ROW, { buffer: '$table', bytes: VOCABULARY * ROW }),
      trigger(),
      store(ROW, { buffer: '$y', blockStride: ROW }),
      // Nothing to add to it before the first layer.
      store(ROW, { buffer: '$part', blockStride: ROW }),
    ],
  });
  const logits = shapes.head.n * ELEMENT;
  program.kernel('best', {
    grid: BATCH,
    block: 512,
    staticSharedMemory: 4096,
    parameters: ['logits', 'part'],
    phases: [
      spin('200ns'),
      wait(),
      load(logits, { buffer: '$logits', blockStride: logits }),
      spin('1us'),
      store(ROW, { buffer: '$part', blockStride: ROW }),
    ],
  });
}

/** x += part, then y is x normalised. Parameters `part`, `x`, `gain`, `y`. */
function addNorm(): KernelInput {
  const { phases, parameters, ...shape } = rmsNorm(BATCH, HIDDEN);
  const own = { blockStride: ROW };
  return {
    ...shape,
    parameters: ['part', ...(parameters ?? [])],
    phases: [
      spin('200ns'),
      load(ROW, '$gain'),
      wait(),
      load(ROW, { buffer: '$part', ...own }),
      load(ROW, { buffer: '$x', ...own }),
      trigger(),
      blockBarrier(),
      fma(Math.ceil(HIDDEN / 512)),
      store(ROW, { buffer: '$x', ...own }),
      store(ROW, { buffer: '$y', ...own }),
    ],
  };
}

type Model = ReturnType<typeof declareModel>;

function declareModel(ranks: Ranks, program: ProgramBuilder, rank: number, layers: number, shapes: Shapes) {
  const buffer = (name: string, bytes: number) => ranks.buffer(rank, name, bytes);
  const weight = (name: 'qkv' | 'proj' | 'up' | 'down' | 'head', layer: number | '') =>
    buffer(`w${name}${layer}_`, gemmBytes(shapes[name]).w);
  const sizes = attentionSizes(shapes.attention);
  const bytes = BATCH * 4;
  return {
    stream: ranks.stream(rank, 'main'),
    hostIds: program.buffer(`hostIds${rank}`, { bytes, space: 'host', hostMemory: 'pinned' }),
    ids: buffer('ids', bytes),
    table: buffer('table', VOCABULARY * ROW),
    gain: buffer('gain', ROW),
    x: buffer('x', RESULT),
    normed: buffer('normed', RESULT),
    /** What this device adds to the sum, then the sum: rounded up to a tile of the additions. */
    part: buffer('part', Math.ceil(RESULT / TILE) * TILE),
    qkv: buffer('qkv', gemmBytes(shapes.qkv).y),
    partial: buffer('partial', sizes.partials),
    attended: buffer('attended', gemmBytes(shapes.proj).x),
    wide: buffer('wide', gemmBytes(shapes.up).y),
    inner: buffer('inner', gemmBytes(shapes.down).x),
    logits: buffer('logits', gemmBytes(shapes.head).y),
    head: weight('head', ''),
    layers: Array.from({ length: layers }, (_, layer) => ({
      qkv: weight('qkv', layer),
      proj: weight('proj', layer),
      up: weight('up', layer),
      down: weight('down', layer),
      cache: buffer(`cache${layer}_`, sizes.cache),
    })),
  };
}

function attentionHalf(m: Model, chain: LaunchChain, layer: number): void {
  const { qkv, cache, proj } = at(m.layers, layer);
  chain.launch('addNorm', { part: m.part, x: m.x, gain: m.gain, y: m.normed });
  chain.launch('qkv', { x: m.normed, w: qkv, y: m.qkv });
  chain.launch('attention', { qkv: m.qkv, cache, partial: m.partial });
  chain.launch('combine', { partial: m.partial, y: m.attended });
  chain.launch('proj', { x: m.attended, w: proj, y: m.part });
}

function feedForwardHalf(m: Model, chain: LaunchChain, layer: number): void {
  const { up, down } = at(m.layers, layer);
  chain.launch('addNorm', { part: m.part, x: m.x, gain: m.gain, y: m.normed });
  chain.launch('up', { x: m.normed, w: up, y: m.wide });
  chain.launch('silu', { x: m.wide, y: m.inner });
  chain.launch('down', { x: m.inner, w: down, y: m.part });
}

function head(m: Model, chain: LaunchChain): void {
  chain.launch('addNorm', { part: m.part, x: m.x, gain: m.gain, y: m.normed });
  chain.launch('head', { x: m.normed, w: m.head, y: m.logits });
  chain.launch('best', { logits: m.logits, part: m.part });
}

type Reduce = (name: string) => void;

function byCollective(ranks: Ranks, streams: readonly Stream[]): Reduce {
  return (name) => {
    for (const stream of streams) ranks.collective('allReduce', 'tensor', RESULT, stream, `${name}allReduce`);
  };
}

function byCopies(ranks: Ranks, program: ProgramBuilder, models: readonly Model[]): Reduce {
  for (let rank = 0; rank < ranks.count; rank++) {
    ranks.enablePeerAccess(rank, [parentOf(rank) ?? rank, ...childrenOf(rank, ranks.count)]);
  }
  const data: Buffer[] = models.map((model) => model.part);
  const streams = models.map((model) => model.stream);
  const bytes = at(data, 0).bytes;
  const inboxes = treeInboxes(ranks, bytes);
  const additions = new Additions(program);
  const chunks = [{ index: 0, offset: 0, bytes }];
  return (name) => treeAllReduce(ranks, { chunks, data, inboxes, additions, up: streams, down: streams, name });
}
