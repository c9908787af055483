import type { ProgramBuilder } from '../../builder.ts';
import type { KernelInput } from '../../inputs.ts';
import { fma, load, store } from '../../phases.ts';
import type { Buffer } from '../../program.ts';
import { ELEMENT } from './gemm.ts';

/** What a block of the kernels here works on, bytes: 256 threads, 16 bytes each, four times. */
export const TILE = 16 * 1024;
/** A kernel over more tiles than this gives each block several. */
const MOST_BLOCKS = 4096;

/** Bytes rounded down to whole tiles, but at least one. */
export function wholeTiles(bytes: number): number {
  return Math.max(1, Math.floor(bytes / TILE)) * TILE;
}

/** A part of a buffer that is moved as one, bytes. */
export interface Chunk {
  readonly index: number;
  readonly offset: number;
  readonly bytes: number;
}

/** `bytes` in chunks of `chunkBytes`, rounded down to whole tiles; the last may be smaller. */
export function chunksOf(bytes: number, chunkBytes: number): Chunk[] {
  const size = Math.min(bytes, wholeTiles(chunkBytes));
  return Array.from({ length: Math.ceil(bytes / size) }, (_, index) => {
    const offset = index * size;
    return { index, offset, bytes: Math.min(size, bytes - offset) };
  });
}

/** How a kernel divides `bytes` among blocks: their number and the bytes of each. */
export function tiling(bytes: number): { readonly grid: number; readonly perBlock: number } {
  let tiles = bytes / TILE;
  while (tiles > MOST_BLOCKS && tiles % 2 === 0) tiles /= 2;
  return { grid: tiles, perBlock: bytes / tiles };
}

/** Writes `bytes` of `y` with work in between; stands for whatever makes them. Parameter `y`. */
export function produce(bytes: number, iterations = 50): KernelInput {
  const { grid, perBlock } = tiling(bytes);
  return {
    grid,
    block: 256,
    parameters: ['y'],
    phases: [fma(iterations), store(perBlock, { buffer: '$y', blockStride: perBlock })],
  };
}

/** Reads all of `bytes` of `x`, and keeps what it makes of them in registers. Parameter `x`. */
export function consume(bytes: number, iterations = 50): KernelInput {
  const { grid, perBlock } = tiling(bytes);
  return {
    grid,
    block: 256,
    parameters: ['x'],
    phases: [load(perBlock, { buffer: '$x', blockStride: perBlock }), fma(iterations)],
  };
}

/** The part of a buffer as one of its own, at the same addresses: what a program passes as `buffer + offset`. */
export function viewOf(program: ProgramBuilder, buffer: Buffer, offset: number, bytes: number, name: string): Buffer {
  const { device, allocation } = buffer;
  return program.buffer(name, { bytes, device, allocation, offset: buffer.offset + offset });
}

/**
 * Kernels that add a part of one buffer, in halves, to the same part of another. A program has one kernel and passes it an
 * offset; here it is a kernel for each part, which devices share.
 */
export class Additions {
  private readonly program: ProgramBuilder;
  private readonly names = new Map<number, Map<number, string>>();

  constructor(program: ProgramBuilder) {
    this.program = program;
  }

  /** Name of the kernel for that part. Parameters `sum`, `part`. */
  kernel(offset: number, bytes: number): string {
    const ofSize = this.names.get(bytes) ?? new Map<number, string>();
    this.names.set(bytes, ofSize);
    const known = ofSize.get(offset);
    if (known !== undefined) return known;
    const { name } = this.program.kernel(`add_${offset / TILE}_${bytes / TILE}`, addition(offset, bytes));
    ofSize.set(offset, name);
    return name;
  }
}

function addition(offset: number, bytes: number): KernelInput {
  const { grid, perBlock } = tiling(bytes);
  const range = (buffer: string) => ({ buffer, offset, blockStride: perBlock });
  return {
    grid,
    block: 256,
    parameters: ['sum', 'part'],
    phases: [
      load(perBlock, range('$part')),
      load(perBlock, range('$sum')),
      // Every thread adds as many elements as it holds; an iteration is four operations.
      fma(Math.ceil(perBlock / ELEMENT / 256 / 4)),
      store(perBlock, range('$sum')),
    ],
  };
}
