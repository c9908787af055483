import {
  type Buffer,
  type BufferInput,
  type EventInput,
  type Graph,
  type Kernel,
  type Program,
  ProgramBuilder,
  ProgramError,
  type Stream,
  type StreamInput,
  volume,
} from '@griddep/program';
import { type CudaError, cudaError } from '../errors.ts';
import type { DeviceRules } from '../launch-rules.ts';
import type { CudaRuntime } from '../runtime.ts';
import { GraphTable } from './graph-table.ts';
import type { CudaEvent, CudaGraphExec, CudaPointer, CudaStream } from './handles.ts';
import { type CudaKernel, type Geometry, geometryText, sameGeometry } from './kernels.ts';

/** Memory behind a pointer. */
export interface Memory {
  readonly buffer: Buffer;
  readonly from: 'malloc' | 'mallocAsync' | 'mallocHost' | 'pageable';
  freed: boolean;
}

/** Not a limit of CUDA's: every block is simulated, and this many take minutes and gigabytes. */
const MOST_BLOCKS = 2 ** 26;

/** What has been declared since it was asked for last, for the devices to be told. */
export interface Declared {
  readonly kernels: readonly Kernel[];
  readonly buffers: readonly Buffer[];
}

/**
 * The objects of one process: which stream, event, memory, kernel or graph each handle stands for. Every runtime of
 * the process learns of them as they are created.
 */
export class HostProcess {
  readonly program: Program;
  readonly devices: readonly DeviceRules[];
  readonly graphs = new GraphTable();
  readonly executables = new Map<CudaGraphExec, string>();
  private readonly builder: ProgramBuilder;
  private runtimes: readonly CudaRuntime[] = [];
  private readonly streams = new Map<CudaStream, Stream>();
  private readonly events = new Map<CudaEvent, string>();
  private readonly memory = new Map<CudaPointer, Memory>();
  private readonly names = new Set<string>();
  /** By kernel, the geometries that it was launched with, and the kernels of the program that they are. */
  private readonly variants = new Map<CudaKernel, { readonly geometry: Geometry; readonly name: string }[]>();
  private kernels: Kernel[] = [];
  private buffers: Buffer[] = [];
  private readonly environment = new Map<string, string>();

  constructor(name: string, devices: readonly DeviceRules[]) {
    this.builder = new ProgramBuilder(name, {});
    this.program = this.builder.build();
    this.devices = devices;
  }

  /** The program so far, with host threads that hold no calls yet, to begin to run. */
  start(
    threads: readonly { readonly name: string; readonly device: number; readonly callGap: string | number }[],
  ): Program {
    for (const [i, { name, device, callGap }] of threads.entries()) {
      const thread = this.builder.hostThread(name, { device, callGap });
      if (i === 0) for (const variable of this.environment) thread.hostSetenv(...variable);
    }
    const program = this.builder.build();
    (this as { program: Program }).program = program;
    this.kernels = [];
    this.buffers = [];
    return program;
  }

  /** A variable of the environment that the process begins with. */
  setenv(name: string, value: string): void {
    this.environment.set(name, value);
  }

  /** Runtimes that are to know what is created from now on. */
  attach(runtimes: readonly CudaRuntime[]): void {
    this.runtimes = runtimes;
  }

  /** Kernels and buffers that were declared since this was called last; undefined if there are none. */
  declared(): Declared | undefined {
    if (this.kernels.length === 0 && this.buffers.length === 0) return undefined;
    const { kernels, buffers } = this;
    this.kernels = [];
    this.buffers = [];
    return { kernels, buffers };
  }

  createStream(handle: CudaStream, input: StreamInput): Stream {
    const name = unused(handle.name ?? 'stream', this.program.streams);
    const stream = this.addStream(name, input);
    this.streams.set(handle, stream);
    return stream;
  }

  /** The stream of a handle, undefined if it was not created or is destroyed. */
  streamOf(handle: CudaStream): Stream | undefined {
    return this.streams.get(handle);
  }

  /** The stream of a name. */
  streamRecord(name: string): Stream | undefined {
    return this.program.streams.get(name);
  }

  destroyStream(handle: CudaStream): void {
    this.streams.delete(handle);
  }

  /** A default stream of a device, which comes into being when it is first used. */
  defaultStream(kind: 'legacy' | 'perThread', device: number): Stream {
    for (const stream of this.program.streams.values()) {
      if (stream.kind === kind && stream.device === device) return stream;
    }
    return this.addStream(unused(device === 0 ? kind : `${kind}${device}`, this.program.streams), { device, kind });
  }

  createEvent(handle: CudaEvent, input: EventInput): void {
    const event = this.builder.event(unused(handle.name ?? 'event', this.program.events), input);
    this.events.set(handle, event.name);
    for (const runtime of this.runtimes) runtime.declareEvent(event);
  }

  /** Name of the event of a handle, undefined if it was not created or is destroyed. */
  eventOf(handle: CudaEvent): string | undefined {
    return this.events.get(handle);
  }

  destroyEvent(handle: CudaEvent): void {
    this.events.delete(handle);
  }

  /** Memory that may be allocated for a pointer; it is the pointer's when `point` says so. */
  declareMemory(handle: CudaPointer, input: BufferInput, from: Memory['from']): Memory {
    const buffer = this.builder.buffer(unused(handle.name ?? 'pointer', this.program.buffers), input);
    this.buffers.push(buffer);
    return { buffer, from, freed: false };
  }

  /** A pointer points to memory from now on; what it pointed to before is not freed by that. */
  point(handle: CudaPointer, memory: Memory): void {
    this.memory.set(handle, memory);
  }

  /** What a pointer points into, undefined for a null pointer. */
  memoryOf(pointer: CudaPointer | undefined): Memory | undefined {
    return pointer === undefined ? undefined : this.memory.get(pointer.base ?? pointer);
  }

  /** Tells the runtimes of a graph made by hand. */
  declareGraph(graph: Graph): void {
    for (const runtime of this.runtimes) runtime.declareGraph(graph);
  }

  /** A name for a graph or an executable that no other has. */
  nameFor(base: string): string {
    const name = unused(base, this.names);
    this.names.add(name);
    return name;
  }

  /** Name of the kernel with a geometry, which is declared when it is first launched so. */
  kernelWith(kernel: CudaKernel, geometry: Geometry): string {
    const variants = this.variants.get(kernel) ?? [];
    this.variants.set(kernel, variants);
    const known = variants.find((each) => sameGeometry(each.geometry, geometry));
    if (known !== undefined) return known.name;
    const { grid, block, dynamicSharedMemory } = geometry;
    if (volume(grid) > MOST_BLOCKS) {
      const problem = `kernel "${kernel.name}": a grid of ${volume(grid)} blocks is too large to simulate, at most ${MOST_BLOCKS} are possible`;
      throw new ProgramError(problem, { offending: String(grid) });
    }
    const wanted = variants.length === 0 ? kernel.name : `${kernel.name}<<<${geometryText(geometry)}>>>`;
    const name = unused(wanted, this.program.kernels);
    const input = { ...kernel.input, grid, block, dynamicSharedMemory };
    // The function has one name in the timeline, whatever it is launched with.
    const made = { ...this.builder.kernel(name, input), name: kernel.name };
    (this.program.kernels as Map<string, Kernel>).set(name, made);
    this.kernels.push(made);
    for (const runtime of this.runtimes) runtime.declareKernel(name);
    variants.push({ geometry, name });
    return name;
  }

  /** The error of an address that is none of the device's or the host's memory. */
  invalidPointer(pointer: CudaPointer): CudaError {
    const name = pointer.name === undefined ? 'a pointer' : `pointer "${pointer.name}"`;
    const why = this.memoryOf(pointer)?.freed === true ? 'has been freed' : 'points to no memory';
    return cudaError('cudaErrorInvalidValue', `${name} ${why}`);
  }

  private addStream(name: string, input: StreamInput): Stream {
    const stream = this.builder.stream(name, input);
    for (const runtime of this.runtimes) runtime.declareStream(stream);
    return stream;
  }
}

/** The name, or with a number behind it where it is taken. */
function unused(base: string, taken: { has(name: string): boolean }): string {
  if (!taken.has(base)) return base;
  for (let n = 1; ; n++) if (!taken.has(`${base}#${n}`)) return `${base}#${n}`;
}
