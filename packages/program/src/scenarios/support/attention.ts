import type { ProgramBuilder } from '../../builder.ts';
import { blockBarrier, fma, load, spin, store, trigger, wait } from '../../phases.ts';
import type { Buffer } from '../../program.ts';
import { ELEMENT } from './gemm.ts';

const HEAD = 128;
const QUERIES_PER_GROUP = 4;
const PREFETCHED = 64 * 1024;

/** Shape of one step of grouped-query attention with the context divided among blocks. */
export interface AttentionShape {
  readonly batch: number;
  readonly hidden: number;
  /** Cached positions. */
  readonly context: number;
  /** Parts that the context of one sequence and head group is divided into. */
  readonly splits: number;
}

/** Sizes that follow from the shape, in bytes but for the counts. */
export function attentionSizes({ batch, hidden, context, splits }: AttentionShape) {
  const groups = hidden / (HEAD * QUERIES_PER_GROUP);
  const blocks = batch * groups * splits;
  const chunk = (context / splits) * 2 * HEAD * ELEMENT;
  const partial = QUERIES_PER_GROUP * HEAD * 4;
  return {
    groups,
    blocks,
    /** Columns of the fused query, key and value projection. */
    projected: hidden + 2 * groups * HEAD,
    chunk,
    appended: 128,
    cache: blocks * (chunk + 128),
    partial,
    partials: blocks * partial,
  };
}

/**
 * Declares `attention` (parameters `qkv`, `cache`, `partial`) and `combine` (`partial`, `y`). Cached keys and values were
 * written by earlier steps, so the first of them are loaded before the wait; the query and the step's own key and value
 * after it.
 */
export function declareAttention(program: ProgramBuilder, shape: AttentionShape): void {
  const { batch, hidden, splits } = shape;
  const { groups, blocks, projected, chunk, appended, partial } = attentionSizes(shape);
  const prefetched = Math.min(chunk, PREFETCHED);
  const rest = chunk - prefetched;
  const output = (hidden / groups) * ELEMENT;
  program.kernel('attention', {
    grid: blocks,
    block: 512,
    registersPerThread: 48,
    dynamicSharedMemory: prefetched,
    parameters: ['qkv', 'cache', 'partial'],
    phases: [
      spin('300ns'),
      load(prefetched, { buffer: '$cache', blockStride: chunk }),
      wait(),
      load((QUERIES_PER_GROUP + 2) * HEAD * ELEMENT, { buffer: '$qkv', bytes: batch * projected * ELEMENT }),
      ...(rest > 0 ? [load(rest, { buffer: '$cache', offset: prefetched, blockStride: chunk })] : []),
      trigger(),
      fma(Math.ceil(chunk / 2048)),
      store(appended, { buffer: '$cache', offset: blocks * chunk, blockStride: appended }),
      store(partial, { buffer: '$partial', blockStride: partial }),
    ],
  });
  program.kernel('combine', {
    grid: batch * groups,
    block: 128,
    staticSharedMemory: 64,
    parameters: ['partial', 'y'],
    phases: [
      spin('200ns'),
      wait(),
      load(splits * partial, { buffer: '$partial', blockStride: splits * partial }),
      trigger(),
      blockBarrier(),
      fma(4 * splits),
      store(output, { buffer: '$y', blockStride: output }),
    ],
  });
}

/** Declares a layer's cache. */
export function attentionCache(program: ProgramBuilder, name: string, shape: AttentionShape): Buffer {
  return program.buffer(name, { bytes: attentionSizes(shape).cache });
}
