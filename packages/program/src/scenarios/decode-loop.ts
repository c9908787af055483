import type { ProgramBuilder } from '../builder.ts';
import { load, spin, store, trigger, wait } from '../phases.ts';
import { attentionCache, attentionSizes, declareAttention } from './support/attention.ts';
import { modeParameter, pdlParameter } from './support/common-parameters.ts';
import { ELEMENT, type GemmShape, gemm, gemmBytes } from './support/gemm.ts';
import { LaunchChain } from './support/launch-chain.ts';
import { count } from './support/parameters.ts';
import { elementwise, rmsNorm } from './support/row-kernels.ts';
import { captureGraph } from './support/run-once.ts';
import { defineScenario } from './support/scenario.ts';

const BATCH = 8;
const HIDDEN = 2048;
const FEED_FORWARD = 4096;
const VOCABULARY = 8192;
const ATTENTION = { batch: BATCH, hidden: HIDDEN, context: 1024, splits: 4 };
const SHAPES = {
  qkv: { batch: BATCH, k: HIDDEN, n: attentionSizes(ATTENTION).projected, tile: 16 },
  proj: { batch: BATCH, k: HIDDEN, n: HIDDEN, tile: 16, accumulate: true },
  up: { batch: BATCH, k: HIDDEN, n: 2 * FEED_FORWARD, tile: 32 },
  down: { batch: BATCH, k: FEED_FORWARD, n: HIDDEN, tile: 16, accumulate: true },
  head: { batch: BATCH, k: HIDDEN, n: VOCABULARY, tile: 32 },
} satisfies Record<string, GemmShape>;

export const decodeLoop = defineScenario({
  name: 'decode-loop',
  summary: 'Tokens of a small language model, one step each: embed, layers, head, sample, and the host between steps',
  description:
    'A step uploads the token ids, runs nine kernels a layer and downloads the next ids, which the host reads before it ' +
    'starts the next step. As a graph the step is captured once and launched for every token.',
  params: {
    tokens: count(4, 'steps', 1, 64),
    layers: count(4, 'layers of nine kernels', 1, 64),
    mode: modeParameter,
    pdl: pdlParameter,
  },
  declare(program, { tokens, layers, mode, pdl }) {
    const step = declareStep(program, layers);
    const stream = program.stream('main', { kind: 'nonBlocking' });
    const host = { bytes: BATCH * 4, space: 'host', hostMemory: 'pinned' } as const;
    const hostIds = program.buffer('hostIds', host);
    const hostNext = program.buffer('hostNext', host);
    const thread = program.hostThread();
    const chain = new LaunchChain(thread, stream, pdl);
    const enqueue = (label: string) => {
      const upload = { source: hostIds, destination: 'ids', label: `upload${label}` };
      thread.memcpyAsync('hostToDevice', host.bytes, stream, upload);
      chain.interrupted();
      step(chain, (layer, body) => thread.range(`layer${layer}`, body));
      const download = { source: 'next', destination: hostNext, label: `download${label}` };
      thread.memcpyAsync('deviceToHost', host.bytes, stream, download);
    };
    if (mode === 'graph') captureGraph(thread, stream, 'step', () => enqueue(''));
    for (let token = 0; token < tokens; token++) {
      thread.range(`token${token}`, () => {
        thread.hostWrite(hostIds);
        if (mode === 'graph') thread.graphLaunch('step-exec', stream, { label: `step${token}` });
        else enqueue(`#${token}`);
        thread.streamSynchronize(stream);
        thread.hostRead(hostNext);
        thread.hostCompute('5us');
      });
    }
  },
});

type EnterLayer = (layer: number, body: () => void) => void;

/** Declares kernels and buffers; returns what launches one step. */
function declareStep(program: ProgramBuilder, layers: number): (chain: LaunchChain, enter: EnterLayer) => void {
  for (const [name, shape] of Object.entries(SHAPES)) program.kernel(name, gemm(shape));
  const row = HIDDEN * ELEMENT;
  program.kernel('rmsnorm', rmsNorm(BATCH, HIDDEN));
  program.kernel('silu', elementwise(BATCH * FEED_FORWARD * ELEMENT, 1024, 2));
  declareAttention(program, ATTENTION);
  program.kernel('embed', {
    grid: BATCH,
    block: 256,
    parameters: ['ids', 'table', 'y'],
    phases: [
      load(4, { buffer: '$ids', blockStride: 4 }),
      load(row, { buffer: '$table', bytes: VOCABULARY * row }),
      trigger(),
      store(row, { buffer: '$y', blockStride: row }),
    ],
  });
  const logitsRow = VOCABULARY * ELEMENT;
  program.kernel('sample', {
    grid: BATCH,
    block: 512,
    staticSharedMemory: 4096,
    parameters: ['logits', 'next'],
    phases: [
      spin('200ns'),
      wait(),
      load(logitsRow, { buffer: '$logits', blockStride: logitsRow }),
      spin('2us'),
      store(4, { buffer: '$next', blockStride: 4 }),
    ],
  });
  const buffer = (name: string, bytes: number) => program.buffer(name, { bytes });
  const ids = buffer('ids', BATCH * 4);
  const next = buffer('next', BATCH * 4);
  const table = buffer('table', VOCABULARY * row);
  const gain = buffer('gain', row);
  const x = buffer('x', BATCH * row);
  const normed = buffer('normed', x.bytes);
  const qkv = buffer('qkvOut', gemmBytes(SHAPES.qkv).y);
  const partial = buffer('partial', attentionSizes(ATTENTION).partials);
  const attended = buffer('attended', x.bytes);
  const wide = buffer('wide', gemmBytes(SHAPES.up).y);
  const inner = buffer('inner', gemmBytes(SHAPES.down).x);
  const logits = buffer('logits', gemmBytes(SHAPES.head).y);
  const weight = (name: keyof typeof SHAPES, layer: number | '') =>
    buffer(`w${name}${layer}`, gemmBytes(SHAPES[name]).w);
  const head = weight('head', '');
  const perLayer = Array.from({ length: layers }, (_, i) => ({
    qkv: weight('qkv', i),
    proj: weight('proj', i),
    up: weight('up', i),
    down: weight('down', i),
    cache: attentionCache(program, `cache${i}`, ATTENTION),
  }));
  return (chain, enter) => {
    chain.launch('embed', { ids, table, y: x });
    perLayer.forEach((w, i) => {
      enter(i, () => {
        chain.launch('rmsnorm', { x, gain, y: normed });
        chain.launch('qkv', { x: normed, w: w.qkv, y: qkv });
        chain.launch('attention', { qkv, cache: w.cache, partial });
        chain.launch('combine', { partial, y: attended });
        chain.launch('proj', { x: attended, w: w.proj, y: x });
        chain.launch('rmsnorm', { x, gain, y: normed });
        chain.launch('up', { x: normed, w: w.up, y: wide });
        chain.launch('silu', { x: wide, y: inner });
        chain.launch('down', { x: inner, w: w.down, y: x });
      });
    });
    chain.launch('rmsnorm', { x, gain, y: normed });
    chain.launch('head', { x: normed, w: head, y: logits });
    chain.launch('sample', { logits, next });
  };
}
