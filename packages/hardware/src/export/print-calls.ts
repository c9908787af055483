import type { BufferRange, Call, EdgePort, Program } from '@griddep/program';
import { ExportError } from './export-error.ts';
import type { Measurable } from './measurable.ts';
import { known, type Objects } from './objects.ts';

const PORTS: Readonly<Record<EdgePort, number>> = { default: 0, programmatic: 1, launchCompletion: 2 };
const CAPTURE = { global: 'Global', threadLocal: 'ThreadLocal', relaxed: 'Relaxed' } as const;
const COPY = {
  hostToDevice: 'cudaMemcpyHostToDevice',
  deviceToHost: 'cudaMemcpyDeviceToHost',
  deviceToDevice: 'cudaMemcpyDeviceToDevice',
  hostToHost: 'cudaMemcpyHostToHost',
  peer: 'cudaMemcpyDefault',
} as const;

/** Memory for copies that name none: by device and side, as many bytes as the largest of them. */
export class Unnamed {
  readonly buffers: { readonly device: number; readonly space: string; bytes: number }[] = [];

  /** Number of the buffer after those of the program. */
  of(device: number, space: 'd' | 'D' | 'p' | 'g', bytes: number): number {
    let i = this.buffers.findIndex((b) => b.device === device && b.space === space);
    if (i < 0) i = this.buffers.push({ device, space, bytes: 0 }) - 1;
    const buffer = this.buffers[i] as (typeof this.buffers)[number];
    buffer.bytes = Math.max(buffer.bytes, bytes, 256);
    return i;
  }
}

/** Writes calls as CUDA C++, one statement each. */
export class CallPrinter {
  private readonly measured: Measurable;
  private readonly program: Program;
  private readonly objects: Objects;
  private readonly unnamed: Unnamed;
  private readonly launches: ReadonlyMap<string, number>;

  /** @param launches numbers of launches, by their places */
  constructor(measured: Measurable, objects: Objects, unnamed: Unnamed, launches: ReadonlyMap<string, number>) {
    this.measured = measured;
    this.program = measured.program;
    this.objects = objects;
    this.unnamed = unnamed;
    this.launches = launches;
  }

  /** The statement of a call: the `i`-th of a thread. */
  statement(thread: number, i: number, call: Call): string {
    const cuda = (text: string) => `CALL(${thread}, ${i}, ${text});`;
    const host = (text: string) => `HOST(${thread}, ${i}, ${text});`;
    switch (call.kind) {
      case 'launchKernel': {
        if (call.kernel === this.measured.gateKernel) {
          const device = this.program.streams.get(call.stream)?.device ?? 0;
          const flag = this.objects.flag(this.measured.gateFlag);
          return `GATE(${thread}, ${i}, ${device}, ${known(this.objects.streams, call.stream)}, ${flag});`;
        }
        return `LAUNCH(${thread}, ${i}, ${known(this.launches, `${thread}:${i}`)});`;
      }
      case 'memcpy':
        return cuda(this.copy(call));
      case 'memset':
        return cuda(this.memset(call));
      case 'eventRecord': {
        const flags = call.external === true ? ', cudaEventRecordExternal' : '';
        const name = flags === '' ? 'cudaEventRecord' : 'cudaEventRecordWithFlags';
        return cuda(`${name}(${this.event(call.event)}, ${this.stream(call.stream)}${flags})`);
      }
      case 'streamWaitEvent': {
        const flags = call.external === true ? 'cudaEventWaitExternal' : '0';
        return cuda(`cudaStreamWaitEvent(${this.stream(call.stream)}, ${this.event(call.event)}, ${flags})`);
      }
      case 'streamSynchronize':
        return cuda(`cudaStreamSynchronize(${this.stream(call.stream)})`);
      case 'eventSynchronize':
        return cuda(`cudaEventSynchronize(${this.event(call.event)})`);
      case 'deviceSynchronize':
        return cuda('cudaDeviceSynchronize()');
      case 'streamQuery':
        return cuda(`notReadyIsFine(cudaStreamQuery(${this.stream(call.stream)}))`);
      case 'eventQuery':
        return cuda(`notReadyIsFine(cudaEventQuery(${this.event(call.event)}))`);
      case 'eventElapsedTime':
        return `{ float ms_ = 0; ${cuda(`cudaEventElapsedTime(&ms_, ${this.event(call.start)}, ${this.event(call.end)})`)} }`;
      case 'launchHostFunc': {
        if (call.calls !== undefined)
          throw new ExportError(`a host function that calls ${call.calls} is an error in CUDA`);
        const ns = Math.round(call.duration / 1000);
        return cuda(
          `cudaLaunchHostFunc(${this.stream(call.stream)}, hostFunction, reinterpret_cast<void*>(static_cast<size_t>(${ns})))`,
        );
      }
      case 'streamWaitValue':
      case 'streamWriteValue': {
        const name = call.kind === 'streamWaitValue' ? 'cuStreamWaitValue32' : 'cuStreamWriteValue32';
        return cuda(
          `streamValue("${name}", ${this.stream(call.stream)}, p.flag(${this.objects.flag(call.flag)}), ${call.value})`,
        );
      }
      case 'malloc':
      case 'mallocHost':
      case 'mallocAsync':
      case 'free':
      case 'freeHost':
      case 'freeAsync':
        return cuda(this.allocation(call));
      case 'setDevice':
        return cuda(`cudaSetDevice(${call.device})`);
      case 'deviceEnablePeerAccess':
        return cuda(`enabledIsFine(cudaDeviceEnablePeerAccess(${call.peer}, 0))`);
      case 'deviceDisablePeerAccess':
        return cuda(`enabledIsFine(cudaDeviceDisablePeerAccess(${call.peer}))`);
      case 'streamBeginCapture':
        return cuda(`cudaStreamBeginCapture(${this.stream(call.stream)}, cudaStreamCaptureMode${CAPTURE[call.mode]})`);
      case 'threadExchangeStreamCaptureMode':
        return `{ cudaStreamCaptureMode mode_ = cudaStreamCaptureMode${CAPTURE[call.mode]}; ${cuda('cudaThreadExchangeStreamCaptureMode(&mode_)')} }`;
      case 'streamEndCapture':
        return cuda(`cudaStreamEndCapture(${this.stream(call.stream)}, &${this.graph(call.graph)})`);
      case 'streamGetCaptureInfo':
        return cuda(`captureInfo(${this.stream(call.stream)})`);
      case 'graphGetEdges':
        return cuda(`edgesOf(${this.graph(call.graph)})`);
      case 'graphNodeGetDependencies':
      case 'graphNodeGetDependentNodes':
        throw new ExportError(`${call.kind}: queries of single nodes cannot be written out`);
      case 'graphAddDependencies':
      case 'graphRemoveDependencies': {
        const name = call.kind === 'graphAddDependencies' ? 'addEdge' : 'removeEdge';
        const [from, to] = [this.node(call.graph, call.from), this.node(call.graph, call.to)];
        const edge = `${PORTS[call.fromPort]}, ${call.type === 'programmatic'}`;
        return cuda(`${name}(${this.graph(call.graph)}, ${from}, ${to}, ${edge})`);
      }
      case 'graphInstantiate':
        return cuda(`cudaGraphInstantiate(&${this.executable(call.executable)}, ${this.graph(call.graph)}, 0)`);
      case 'graphUpload':
        return cuda(`cudaGraphUpload(${this.executable(call.executable)}, ${this.stream(call.stream)})`);
      case 'graphLaunch':
        return cuda(`cudaGraphLaunch(${this.executable(call.executable)}, ${this.stream(call.stream)})`);
      case 'graphExecUpdate':
        return cuda(`updateExecutable(${this.executable(call.executable)}, ${this.graph(call.graph)})`);
      case 'hostCompute':
        return host(`spinFor(${Math.round(call.duration / 1000)})`);
      case 'hostSignal':
        return host(`raiseFlag(p.flag(${this.objects.flag(call.flag)}), ${call.value})`);
      case 'hostAwait':
        return host(`awaitFlag(p.flag(${this.objects.flag(call.flag)}), ${call.value})`);
      case 'hostRead':
      case 'hostWrite':
      case 'hostSetenv':
      case 'rangePush':
      case 'rangePop':
        return host('(void)0');
      case 'collective':
        throw new ExportError(`group "${call.group}": a collective that nothing stands for`);
    }
  }

  /** Statements that make the graphs that were made by hand, before the thread's first call. */
  graphs(): string[] {
    return [...this.program.graphs.values()].flatMap((graph) => {
      const name = this.graph(graph.name);
      const nodes = graph.nodes.map(
        ({ id, call }) =>
          `const cudaGraphNode_t ${this.node(graph.name, id)} = ${this.nodeOf(name, graph.name, id, call)};`,
      );
      const edges = graph.edges.map(({ from, to, fromPort, type }) => {
        const ends = `${this.node(graph.name, from)}, ${this.node(graph.name, to)}`;
        return `CHECK(addEdge(${name}, ${ends}, ${PORTS[fromPort]}, ${type === 'programmatic'}));`;
      });
      const unused = graph.nodes.map(({ id }) => `(void)${this.node(graph.name, id)};`);
      return [`CHECK(cudaGraphCreate(&${name}, 0));`, ...nodes, ...edges, unused.join(' ')];
    });
  }

  private nodeOf(graph: string, graphName: string, id: string, call: Call): string {
    switch (call.kind) {
      case 'launchKernel':
        return `kernelNode(p, ${graph}, ${known(this.launches, `${graphName}/${id}`)})`;
      case 'memcpy': {
        const { to, from, bytes, kind } = this.sides(call);
        return `[&] { cudaGraphNode_t n{}; CHECK(cudaGraphAddMemcpyNode1D(&n, ${graph}, nullptr, 0, ${to}, ${from}, ${bytes}, ${kind})); return n; }()`;
      }
      case 'memset':
        return `[&] { cudaGraphNode_t n{}; cudaMemsetParams m{}; m.dst = ${this.target(call)}; m.elementSize = 1; m.width = ${call.bytes}; m.height = 1; CHECK(cudaGraphAddMemsetNode(&n, ${graph}, nullptr, 0, &m)); return n; }()`;
      case 'eventRecord':
        return `[&] { cudaGraphNode_t n{}; CHECK(cudaGraphAddEventRecordNode(&n, ${graph}, nullptr, 0, ${this.event(call.event)})); return n; }()`;
      case 'streamWaitEvent':
        return `[&] { cudaGraphNode_t n{}; CHECK(cudaGraphAddEventWaitNode(&n, ${graph}, nullptr, 0, ${this.event(call.event)})); return n; }()`;
      case 'launchHostFunc': {
        const ns = Math.round(call.duration / 1000);
        return `[&] { cudaGraphNode_t n{}; cudaHostNodeParams h{hostFunction, reinterpret_cast<void*>(static_cast<size_t>(${ns}))}; CHECK(cudaGraphAddHostNode(&n, ${graph}, nullptr, 0, &h)); return n; }()`;
      }
      default:
        throw new ExportError(`graph "${graphName}": a node of the kind ${call.kind} cannot be written out`);
    }
  }

  /** The variable of a node of a graph made by hand. */
  private node(graph: string, id: string): string {
    const nodes = this.program.graphs.get(graph)?.nodes ?? [];
    const number = nodes.findIndex((node) => node.id === id);
    if (number < 0) throw new ExportError(`graph "${graph}": the node "${id}" of a capture cannot be named`);
    return `node_${known(this.objects.graphs, graph)}_${number}`;
  }

  private copy(call: Call & { readonly kind: 'memcpy' }): string {
    const { to, from, bytes, kind } = this.sides(call);
    if (call.copy === 'peer') {
      const ends = `${to}, ${call.destinationDevice ?? 0}, ${from}, ${call.sourceDevice ?? 0}, ${bytes}`;
      return call.async ? `cudaMemcpyPeerAsync(${ends}, ${this.stream(call.stream)})` : `cudaMemcpyPeer(${ends})`;
    }
    const ends = `${to}, ${from}, ${bytes}, ${kind}`;
    return call.async ? `cudaMemcpyAsync(${ends}, ${this.stream(call.stream)})` : `cudaMemcpy(${ends})`;
  }

  private sides(call: Call & { readonly kind: 'memcpy' }) {
    const { copy, bytes, source, destination, hostMemory } = call;
    const own = this.program.streams.get(call.stream)?.device ?? 0;
    const host = hostMemory === 'pinned' ? 'p' : 'g';
    const side = (range: BufferRange | undefined, onHost: boolean, device: number, first: boolean): string => {
      if (range !== undefined) return this.place(range);
      const space = onHost ? host : first ? 'd' : 'D';
      return this.unnamedPlace(this.unnamed.of(device, space, bytes));
    };
    const from = side(source, copy === 'hostToDevice' || copy === 'hostToHost', call.sourceDevice ?? own, true);
    const to = side(
      destination,
      copy === 'deviceToHost' || copy === 'hostToHost',
      call.destinationDevice ?? own,
      false,
    );
    return { to, from, bytes, kind: COPY[copy] };
  }

  private memset(call: Call & { readonly kind: 'memset' }): string {
    const to = `${this.target(call)}, 0, ${call.bytes}`;
    return call.async ? `cudaMemsetAsync(${to}, ${this.stream(call.stream)})` : `cudaMemset(${to})`;
  }

  private target({ destination, stream, bytes }: Call & { readonly kind: 'memset' }): string {
    if (destination !== undefined) return this.place(destination);
    return this.unnamedPlace(this.unnamed.of(this.program.streams.get(stream)?.device ?? 0, 'D', bytes));
  }

  private allocation(call: Call & { readonly buffer: string }): string {
    const allocation = this.program.buffers.get(call.buffer)?.allocation ?? call.buffer;
    const memory = `p.memories[${known(this.objects.allocations, allocation)}]`;
    const made = `reinterpret_cast<void**>(&${memory}.pointer), ${memory}.bytes`;
    switch (call.kind) {
      case 'malloc':
        return `cudaMalloc(${made})`;
      case 'mallocHost':
        return `cudaHostAlloc(${made}, cudaHostAllocPortable | cudaHostAllocMapped)`;
      case 'mallocAsync':
        return `cudaMallocAsync(${made}, ${this.stream((call as { stream: string }).stream)})`;
      case 'free':
        return `cudaFree(std::exchange(${memory}.pointer, nullptr))`;
      case 'freeHost':
        return `cudaFreeHost(std::exchange(${memory}.pointer, nullptr))`;
      default:
        return `cudaFreeAsync(std::exchange(${memory}.pointer, nullptr), ${this.stream((call as { stream: string }).stream)})`;
    }
  }

  private place({ buffer, offset }: BufferRange): string {
    return `p.at(${known(this.objects.buffers, buffer)}, ${offset})`;
  }

  private unnamedPlace(number: number): string {
    return `p.at(${this.objects.buffers.size + number}, 0)`;
  }

  private stream(name: string): string {
    return `p.st(${known(this.objects.streams, name)})`;
  }

  private event(name: string): string {
    return `p.ev(${known(this.objects.events, name)})`;
  }

  private graph(name: string): string {
    return `p.graphs[${known(this.objects.graphs, name)}]`;
  }

  private executable(name: string): string {
    return `p.executables[${known(this.objects.executables, name)}]`;
  }
}
