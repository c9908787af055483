import type { KernelInput } from '../../inputs.ts';
import { blockBarrier, fma, load, spin, store, trigger, wait } from '../../phases.ts';
import { ELEMENT } from './gemm.ts';

/**
 * Normalises each row by its root mean square, a block a row. The gain is a weight and comes before the wait.
 * Parameters `x`, `gain`, `y`.
 */
export function rmsNorm(rows: number, width: number): KernelInput {
  const row = width * ELEMENT;
  return {
    grid: rows,
    block: 256,
    staticSharedMemory: 64,
    parameters: ['x', 'gain', 'y'],
    phases: [
      spin('200ns'),
      load(row, '$gain'),
      wait(),
      load(row, { buffer: '$x', blockStride: row }),
      trigger(),
      blockBarrier(),
      fma(Math.ceil(width / 512)),
      store(row, { buffer: '$y', blockStride: row }),
    ],
  };
}

/**
 * y = f(x), element by element, over `bytes` of output; `inputs` bytes are read for each byte written (2 for a gated
 * activation). Parameters `x`, `y`.
 */
export function elementwise(bytes: number, perBlock: number, inputs = 1): KernelInput {
  return {
    grid: bytes / perBlock,
    block: 256,
    parameters: ['x', 'y'],
    phases: [
      spin('200ns'),
      wait(),
      load(inputs * perBlock, { buffer: '$x', blockStride: inputs * perBlock }),
      trigger(),
      fma(4),
      store(perBlock, { buffer: '$y', blockStride: perBlock }),
    ],
  };
}
