import { type BufferRange, type Dim3Input, parseBytes, type Stream } from '@griddep/program';
import { type CudaError, type CudaErrorName, cudaError } from '../errors.ts';
import type { KnownGraph } from './graph-table.ts';
import type { CudaEvent, CudaGraph, CudaGraphExec, CudaPointer, Handle, StreamRef } from './handles.ts';
import { CudaStream, cudaStreamLegacy, cudaStreamPerThread } from './handles.ts';
import { type CudaKernel, dimensions } from './kernels.ts';
import type { HostProcess, Memory } from './process.ts';

/** Arguments of a launch: an address for each parameter in order, or by its name; numbers are passed by value. */
export type KernelArguments = readonly (CudaPointer | number)[] | Readonly<Record<string, CudaPointer | number>>;

/** What is left of a name that stands for nothing; the call is not performed. */
const NONE = '';

/** Turns the arguments of one call into names of the program, and keeps the first error there is in them. */
export class Resolver {
  error: CudaError | undefined;
  /** What the timeline is to call the operation. */
  label: string | undefined;
  private readonly process: HostProcess;
  private readonly device: number;

  constructor(process: HostProcess, device: number, error: CudaError | undefined) {
    this.process = process;
    this.device = device;
    this.error = error;
  }

  /** Notes an error unless there is one already. */
  fail(name: CudaErrorName, message: string): void {
    this.error ??= cudaError(name, message);
  }

  /** Fails with invalid value unless a condition holds. */
  require(condition: boolean, message: string): void {
    if (!condition) this.fail('cudaErrorInvalidValue', message);
  }

  /** A stream's record; 0 and the two special handles stand for default streams of the current device. */
  streamRecord(stream: StreamRef): Stream | undefined {
    if (stream === 0 || stream === cudaStreamLegacy) return this.process.defaultStream('legacy', this.device);
    if (stream === cudaStreamPerThread) return this.process.defaultStream('perThread', this.device);
    const known = stream instanceof CudaStream ? this.process.streamOf(stream) : undefined;
    if (known === undefined) this.fail('cudaErrorInvalidResourceHandle', `${named('stream', stream)} is no stream`);
    return known;
  }

  /** A stream that was created, none of the default ones. */
  createdStream(stream: CudaStream): string {
    const known = stream instanceof CudaStream ? this.process.streamOf(stream) : undefined;
    if (known === undefined) this.fail('cudaErrorInvalidResourceHandle', `${named('stream', stream)} is no stream`);
    return known?.name ?? NONE;
  }

  /** A variable that a call writes a handle to. */
  handle(variable: unknown, kind: Handle['handle']): void {
    const given = (Object(variable) as { handle?: unknown }).handle;
    const special = variable === cudaStreamLegacy || variable === cudaStreamPerThread;
    this.require(given === kind && !special, `no variable for a ${kind}`);
  }

  /** An index of a device. */
  deviceIndex(index: number): number {
    const { length } = this.process.devices;
    if (this.process.devices[index] === undefined) this.fail('cudaErrorInvalidDevice', `there are ${length} devices`);
    return index;
  }

  stream(stream: StreamRef): string {
    return this.streamRecord(stream)?.name ?? NONE;
  }

  event(event: CudaEvent): string {
    const name = this.process.eventOf(event);
    if (name === undefined) this.fail('cudaErrorInvalidResourceHandle', `${named('event', event)} is no event`);
    return name ?? NONE;
  }

  graph(graph: CudaGraph): KnownGraph | undefined {
    const known = this.process.graphs.get(graph);
    if (known === undefined) this.fail('cudaErrorInvalidValue', `${named('graph', graph)} is no graph`);
    return known;
  }

  executable(executable: CudaGraphExec): string {
    const name = this.process.executables.get(executable);
    if (name === undefined) this.fail('cudaErrorInvalidValue', `${named('graph', executable)} is not instantiated`);
    return name ?? NONE;
  }

  /** Memory that a pointer points into and that has not been freed. */
  memory(pointer: CudaPointer): Memory | undefined {
    this.handle(pointer, 'pointer');
    if (this.error !== undefined) return undefined;
    const memory = this.process.memoryOf(pointer);
    if (memory !== undefined && !memory.freed) return memory;
    this.error ??= this.process.invalidPointer(pointer);
    return undefined;
  }

  /** Bytes from an address on, which have to lie within what was allocated. */
  range(pointer: CudaPointer, bytes: number): BufferRange | undefined {
    if (bytes === 0) return undefined;
    const memory = this.memory(pointer);
    if (memory === undefined) return undefined;
    const { buffer } = memory;
    const inside = pointer.offset >= 0 && pointer.offset + bytes <= buffer.bytes;
    this.require(inside, `${bytes} bytes at ${pointer.offset} do not lie within "${buffer.name}" of ${buffer.bytes}`);
    return { buffer: buffer.name, offset: pointer.offset, bytes, blockStride: 0 };
  }

  /** A size in bytes: a whole number, not negative. */
  bytes(bytes: number): number {
    const fits = Number.isSafeInteger(bytes) && bytes >= 0;
    this.require(fits, `${bytes} is no number of bytes`);
    return fits ? bytes : 0;
  }

  /** A kernel with the geometry of a launch; without grid and block its own. */
  kernel(kernel: CudaKernel, grid?: Dim3Input, block?: Dim3Input, dynamicSharedMemory?: number): string {
    const { input } = kernel;
    const size = { grid: dimensions(grid ?? input.grid ?? 0), block: dimensions(block ?? input.block ?? 0) };
    const shared = dynamicSharedMemory ?? parseBytes(input.dynamicSharedMemory ?? 0, 0);
    if (size.grid === undefined || size.block === undefined || !isLaunchable(size.grid, size.block)) {
      const text = `kernel "${kernel.name}" is launched with ${String(grid)} blocks of ${String(block)} threads`;
      this.fail('cudaErrorInvalidConfiguration', text);
    } else if (!Number.isSafeInteger(shared) || shared < 0) {
      this.fail('cudaErrorInvalidValue', `${shared} is no number of bytes`);
    } else if (this.error === undefined) {
      const geometry = { grid: size.grid, block: size.block, dynamicSharedMemory: shared };
      return this.process.kernelWith(kernel, geometry);
    }
    return kernel.name;
  }

  /** Buffers by parameter, and whether there is memory among them that no device may touch. */
  args(
    kernel: CudaKernel,
    given: KernelArguments,
  ): { readonly args?: Readonly<Record<string, string>>; readonly faults: boolean } {
    const names = kernel.parameters;
    const pairs: [string | undefined, CudaPointer | number][] = Array.isArray(given)
      ? given.map((value, i) => [names[i], value])
      : Object.entries(given as Readonly<Record<string, CudaPointer | number>>);
    const buffers: Record<string, string> = {};
    let faults = false;
    for (const [name, value] of pairs) {
      if (name === undefined || !names.includes(name)) {
        this.fail(
          'cudaErrorInvalidValue',
          `kernel "${kernel.name}" has ${names.length} parameters, ${pairs.length} passed`,
        );
      } else if (typeof value !== 'number') {
        const memory = this.process.memoryOf(value);
        if (memory === undefined) continue;
        const { buffer, freed } = memory;
        faults ||= freed || (buffer.space === 'host' && buffer.hostMemory === 'pageable');
        buffers[name] = buffer.name;
      }
    }
    return Object.keys(buffers).length === 0 ? { faults } : { args: buffers, faults };
  }
}

const LIMITS = { grid: [2 ** 31 - 1, 65535, 65535], block: [1024, 1024, 64], threads: 1024 } as const;

/** What any device refuses before it looks at the kernel. */
function isLaunchable(grid: readonly number[], block: readonly number[]): boolean {
  const threads = block.reduce((product, n) => product * n, 1);
  const fits = (size: readonly number[], limits: readonly number[]) => size.every((n, i) => n <= (limits[i] as number));
  return fits(grid, LIMITS.grid) && fits(block, LIMITS.block) && threads <= LIMITS.threads;
}

function named(what: string, handle: unknown): string {
  const { name } = Object(handle) as { name?: string };
  return name === undefined ? `the ${what}` : `${what} "${name}"`;
}
