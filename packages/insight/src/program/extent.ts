import {
  type Buffer,
  type BufferRange,
  type Bytes,
  type Kernel,
  type Program,
  type Access as ProgramAccess,
  volume,
} from '@griddep/program';
import type { Access, AccessMode, Extent } from './access.ts';

/** An access of a kernel, with the buffer that a launch passes for a parameter. @throws Error if there is none. */
export function accessOf(
  program: Program,
  kernel: Kernel,
  { range, mode, proxy, scope, role, phase }: ProgramAccess,
  args: Readonly<Record<string, string>>,
): Access {
  const buffer = bufferOf(program, kernel, range.buffer, args);
  return {
    ...{ extent: gridExtent(buffer, range, volume(kernel.grid)), buffer, mode, system: scope === 'system' },
    ...{ nonCoherent: proxy === 'nonCoherent', asyncProxy: proxy === 'async', kernel: kernel.name, role, phase },
  };
}

/** An access by something that is no kernel: `bytes` from the start of a range. */
export function plainAccess(program: Program, range: BufferRange, bytes: Bytes, mode: AccessMode): Access {
  const buffer = program.buffers.get(range.buffer);
  if (buffer === undefined) throw new Error(`unknown buffer "${range.buffer}"`);
  const begin = buffer.offset + range.offset;
  const extent: Extent = { memory: memoryOf(buffer), begin, bytes, stride: 0, count: 1 };
  return { extent, buffer, mode, system: false, nonCoherent: false, asyncProxy: false };
}

/** An access to the whole of a buffer. @throws Error if there is none of that name. */
export function wholeAccess(program: Program, name: string, mode: AccessMode): Access {
  const bytes = program.buffers.get(name)?.bytes ?? 0;
  return plainAccess(program, { buffer: name, offset: 0, bytes, blockStride: 0 }, bytes, mode);
}

/** Memory that can overlap, as one name. */
export function memoryOf({ space, device, allocation }: Buffer): string {
  return space === 'host' ? `host ${allocation}` : `device ${device} ${allocation}`;
}

function bufferOf(program: Program, kernel: Kernel, name: string, args: Readonly<Record<string, string>>): Buffer {
  const formal = name.startsWith('$') ? name.slice(1) : undefined;
  const passed =
    formal === undefined ? name : (args[formal] ?? kernel.parameters.find((p) => p.name === formal)?.buffer);
  const buffer = program.buffers.get(passed ?? '');
  if (buffer === undefined) throw new Error(`kernel "${kernel.name}": no buffer for "${name}"`);
  return buffer;
}

function gridExtent(buffer: Buffer, { offset, bytes, blockStride, wrap }: BufferRange, blocks: number): Extent {
  const memory = memoryOf(buffer);
  const begin = buffer.offset + offset;
  const length = (blocks - 1) * blockStride + bytes;
  if (wrap !== undefined) return { memory, begin, bytes: Math.min(length, wrap), stride: 0, count: 1 };
  if (blockStride <= bytes || blocks === 1) return { memory, begin, bytes: length, stride: 0, count: 1 };
  return { memory, begin, bytes, stride: blockStride, count: blocks };
}
