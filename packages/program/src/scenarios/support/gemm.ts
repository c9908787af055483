import type { KernelInput } from '../../inputs.ts';
import { fma, load, spin, store, trigger, wait } from '../../phases.ts';

/** Bytes of an activation or a weight. */
export const ELEMENT = 2;
const THREADS = 512;
const STAGES = 64 * 1024;

export interface GemmShape {
  /** Rows of the activation: tokens in flight. */
  readonly batch: number;
  readonly k: number;
  readonly n: number;
  /** Columns that a block computes; divides `n`. */
  readonly tile: number;
  /** Adds to `y` instead of overwriting it, as a projection does to the residual. */
  readonly accumulate?: boolean;
}

/** Bytes of each operand of a GEMM. */
export function gemmBytes({ batch, k, n }: GemmShape): { x: number; w: number; y: number } {
  return { x: batch * k * ELEMENT, w: k * n * ELEMENT, y: batch * n * ELEMENT };
}

/**
 * y = x w for a few rows, its weights stored tile by tile. The pipeline stages are filled with weights before the wait,
 * since no kernel writes those; activations come after it. The trigger follows the last load, so that a dependent's own
 * prefetch competes with arithmetic and not with this kernel's loads. Parameters `x`, `w`, `y`.
 */
export function gemm(shape: GemmShape): KernelInput {
  const { batch, k, n, tile, accumulate = false } = shape;
  const weights = k * tile * ELEMENT;
  const prefetched = Math.min(weights, STAGES);
  const result = batch * tile * ELEMENT;
  const rest = weights - prefetched;
  return {
    grid: n / tile,
    block: THREADS,
    registersPerThread: 40,
    staticSharedMemory: 256,
    dynamicSharedMemory: prefetched,
    parameters: ['x', 'w', 'y'],
    phases: [
      spin('300ns'),
      load(prefetched, { buffer: '$w', blockStride: weights }),
      wait(),
      load(batch * k * ELEMENT, '$x'),
      ...(rest > 0 ? [load(rest, { buffer: '$w', offset: prefetched, blockStride: weights })] : []),
      ...(accumulate ? [load(result, { buffer: '$y', blockStride: result })] : []),
      trigger(),
      fma(Math.ceil((batch * tile * k) / (4 * THREADS))),
      store(result, { buffer: '$y', blockStride: result }),
    ],
  };
}
