import {
  type Buffer,
  type BufferInput,
  type EventInput,
  type Graph,
  type GraphEdgeInput,
  type GraphNodeInput,
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
import { CudaEvent, CudaGraph, CudaGraphExec, CudaPointer, CudaStream } from './handles.ts';
import { type CudaKernel, type Geometry, geometryText, sameGeometry } from './kernels.ts';

/** Memory behind a pointer. */
export interface Memory {
  readonly buffer: Buffer;
  readonly from: 'malloc' | 'mallocAsync' | 'mallocHost' | 'program';
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
  private kernels: Kernel[] = [];
  private buffers: Buffer[] = [];

  constructor(name: string, devices: readonly DeviceRules[]) {
    this.builder = new ProgramBuilder(name, {});
    this.program = this.builder.build();
    this.devices = devices;
  }

  /** The program so far, with host threads that hold no calls, to begin to run. */
  start(threads: readonly { readonly name: string; readonly device: number; readonly callGap: string | number }[]): Program {
    for (const { name, device, callGap } of threads) this.builder.hostThread(name, { device, callGap });
    const program = this.builder.build();
    (this as { program: Program }).program = program;
    this.kernels = [];
    this.buffers = [];
    return program;
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

  /** Memory for a pointer; what it pointed to before is not freed by that. */
  createMemory(handle: CudaPointer, input: BufferInput, from: Memory['from']): Buffer {
    const buffer = this.builder.buffer(unused(handle.name ?? 'pointer', this.program.buffers), input);
    this.buffers.push(buffer);
    this.memory.set(handle, { buffer, from, freed: false });
    return buffer;
  }

  /** Takes back an allocation that failed, as if it had never been asked for; the pointer is what it was. */
  discardMemory(handle: CudaPointer, { name }: Buffer, before: Memory | undefined): void {
    (this.program.buffers as Map<string, Buffer>).delete(name);
    this.buffers = this.buffers.filter((each) => each.name !== name);
    if (before === undefined) this.memory.delete(handle);
    else this.memory.set(handle, before);
  }

  /** What a pointer points into, undefined for a null pointer. */
  memoryOf(pointer: CudaPointer): Memory | undefined {
    return this.memory.get(pointer.base ?? pointer);
  }

  graph(name: string, nodes: readonly GraphNodeInput[], edges: readonly GraphEdgeInput[]): CudaGraph {
    const graph = this.builder.graph(name, nodes, edges);
    const handle = new CudaGraph(name);
    this.names.add(name);
    this.graphs.add(handle, { name, made: undefined });
    for (const runtime of this.runtimes) runtime.declareGraph(graph);
    return handle;
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

  /** Gives a name back. */
  releaseName(name: string): void {
    this.names.delete(name);
  }

  /** Name of the kernel with a geometry, which is declared when it is first launched so. */
  kernelWith(kernel: CudaKernel, geometry: Geometry | undefined): string {
    const known = kernel.variants.find((each) => geometry === undefined || sameGeometry(each.geometry, geometry));
    if (known !== undefined && this.program.kernels.has(known.name)) return known.name;
    if (geometry === undefined) throw new ProgramError(`kernel "${kernel.name}" is launched without grid and block`, {});
    const plain = !this.program.kernels.has(kernel.name);
    const name = plain ? kernel.name : `${kernel.name}<<<${geometryText(geometry)}>>>`;
    if (!this.program.kernels.has(name)) {
      const { grid, block, dynamicSharedMemory } = geometry;
      if (volume(grid) > MOST_BLOCKS) {
        const problem = `kernel "${kernel.name}": a grid of ${volume(grid)} blocks is too large to simulate, at most ${MOST_BLOCKS} are possible`;
        throw new ProgramError(problem, { offending: String(grid) });
      }
      const made = this.builder.kernel(name, { ...kernel.input, grid, block, dynamicSharedMemory });
      this.kernels.push(made);
      for (const runtime of this.runtimes) runtime.declareKernel(name);
    }
    kernel.variants.push({ geometry, name });
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
