import {
  type CudaEvent,
  CudaGraph,
  CudaGraphExec,
  type CudaHost,
  type CudaKernel,
  type CudaPointer,
  type CudaStream,
  cudaEvent,
  cudaKernel,
  cudaMemcpyDefault,
  cudaStream,
  cudaStreamLegacy,
  cudaStreamPerThread,
  out,
} from '@griddep/cuda/host-api';
import type { Call, Kernel, PhaseInput, Program } from '@griddep/program';
import type { CudaProgram } from './cuda-program.ts';
import type { HostCode } from './host-code.ts';

const MODES = { global: 0, threadLocal: 1, relaxed: 2 } as const;
const BYTES = 64 << 20;

/** A program file's calls, made by host code one by one: for programs without buffers in their copies. */
export function asHostCode(program: Program): HostCode {
  return (cuda) => {
    const objects = new Objects(program, cuda);
    for (const [i, { name, device, callGap, calls }] of program.threads.entries()) {
      cuda.hostThread(
        async (host) => {
          if (i === 0) objects.create(host, device);
          for (let c = 0; c < calls.length; c++) {
            const label = calls.label(c);
            if (label !== undefined) host.label(label);
            await objects.make(host, calls.at(c));
          }
        },
        { name, device, callGap: `${callGap}ps` },
      );
    }
  };
}

class Objects {
  private readonly program: Program;
  private readonly kernels: ReadonlyMap<string, CudaKernel>;
  private readonly streams = new Map<string, CudaStream>();
  private readonly events = new Map<string, CudaEvent>();
  private readonly graphs = new Map<string, CudaGraph>();
  private readonly executables = new Map<string, CudaGraphExec>();
  private readonly memory: readonly CudaPointer[];
  private readonly pinned: CudaPointer;
  private readonly pageable: CudaPointer;

  constructor(program: Program, cuda: CudaProgram) {
    this.program = program;
    const devices = 1 + Math.max(0, ...[...program.streams.values()].map(({ device }) => device));
    for (const { name, bytes, device } of program.buffers.values()) cuda.deviceMemory(name, bytes, device);
    this.memory = Array.from({ length: devices }, (_, d) => cuda.deviceMemory(`device ${d}`, BYTES, d));
    this.pinned = cuda.pinnedMemory('pinned', BYTES);
    this.pageable = cuda.pageableMemory('pageable', BYTES);
    this.kernels = new Map([...program.kernels.values()].map((kernel) => [kernel.name, kernelOf(kernel)]));
    for (const { calls } of program.threads) {
      for (let i = 0; i < calls.distinct; i++) {
        const call = calls.distinctCall(i);
        if (call.kind === 'collective') cuda.collectiveGroup(call.group, [...this.memory.keys()]);
      }
    }
  }

  /** Streams and events, each while its device is the current one. */
  create(host: CudaHost, current: number): void {
    for (const device of this.memory.keys()) {
      if (this.memory.length > 1) host.cudaSetDevice(device);
      for (const { name, kind, priority, device: of } of this.program.streams.values()) {
        if (of !== device) continue;
        if (kind === 'legacy') this.streams.set(name, cudaStreamLegacy);
        else if (kind === 'perThread') this.streams.set(name, cudaStreamPerThread);
        else {
          const stream = cudaStream(name);
          this.streams.set(name, stream);
          host.cudaStreamCreateWithPriority(stream, kind === 'nonBlocking' ? 1 : 0, priority);
        }
      }
      for (const { name, timing, interprocess, device: of } of this.program.events.values()) {
        if (of !== device) continue;
        const event = cudaEvent(name);
        this.events.set(name, event);
        host.cudaEventCreateWithFlags(event, (timing ? 0 : 2) + (interprocess ? 4 : 0));
      }
    }
    if (this.memory.length > 1) host.cudaSetDevice(current);
  }

  /** Makes a call; a program file goes on after an error, and so does this. */
  make(host: CudaHost, call: Call): number | Promise<unknown> | undefined {
    const stream = 'stream' in call ? (this.streams.get(call.stream) ?? 0) : 0;
    switch (call.kind) {
      case 'launchKernel': {
        const { programmaticStreamSerialization } = call.attributes;
        const attrs = programmaticStreamSerialization === undefined ? {} : { programmaticStreamSerialization };
        return host.cudaLaunchKernelEx({ stream, attrs }, this.kernels.get(call.kernel) as CudaKernel);
      }
      case 'memcpy':
        return this.copy(host, call, stream);
      case 'memset': {
        const memory = this.memory[this.program.streams.get(call.stream)?.device ?? 0] as CudaPointer;
        return call.async
          ? host.cudaMemsetAsync(memory, 0, call.bytes, stream)
          : host.cudaMemset(memory, 0, call.bytes);
      }
      case 'eventRecord':
        return host.cudaEventRecordWithFlags(this.event(call.event), stream, call.external === true ? 1 : 0);
      case 'streamWaitEvent':
        return host.cudaStreamWaitEvent(stream, this.event(call.event), call.external === true ? 1 : 0);
      case 'streamWaitValue':
        return host.cuStreamWaitValue32(stream, call.flag, call.value);
      case 'streamWriteValue':
        return host.cuStreamWriteValue32(stream, call.flag, call.value);
      case 'streamGetCaptureInfo':
        return host.cudaStreamGetCaptureInfo(stream, out(), out(), call.edgeData);
      case 'threadExchangeStreamCaptureMode':
        return host.cudaThreadExchangeStreamCaptureMode({ value: MODES[call.mode] });
      case 'graphGetEdges':
        return host.cudaGraphGetEdges(this.graph(call.graph), out(), call.edgeData);
      case 'streamSynchronize':
        return host.cudaStreamSynchronize(stream);
      case 'eventSynchronize':
        return host.cudaEventSynchronize(this.event(call.event));
      case 'deviceSynchronize':
        return host.cudaDeviceSynchronize();
      case 'streamQuery':
        return host.cudaStreamQuery(stream);
      case 'eventQuery':
        return host.cudaEventQuery(this.event(call.event));
      case 'eventElapsedTime':
        return host.cudaEventElapsedTime(out(), this.event(call.start), this.event(call.end));
      case 'launchHostFunc':
        return host.cudaLaunchHostFunc(stream, `${call.duration}ps`);
      case 'setDevice':
        return host.cudaSetDevice(call.device);
      case 'deviceEnablePeerAccess':
        return host.cudaDeviceEnablePeerAccess(call.peer);
      case 'deviceDisablePeerAccess':
        return host.cudaDeviceDisablePeerAccess(call.peer);
      case 'streamBeginCapture':
        return host.cudaStreamBeginCapture(stream, MODES[call.mode]);
      case 'streamEndCapture':
        return host.cudaStreamEndCapture(
          stream,
          known(this.graphs, call.graph, () => new CudaGraph(call.graph)),
        );
      case 'graphInstantiate':
        return host.cudaGraphInstantiate(this.executable(call.executable), this.graph(call.graph));
      case 'graphExecUpdate':
        return host.cudaGraphExecUpdate(this.executable(call.executable), this.graph(call.graph));
      case 'graphUpload':
        return host.cudaGraphUpload(this.executable(call.executable), stream);
      case 'graphLaunch':
        return host.cudaGraphLaunch(this.executable(call.executable), stream);
      case 'collective':
        return host.collective(call.collective, call.group, call.bytes, stream);
      case 'hostCompute':
        host.compute(`${call.duration}ps`);
        return undefined;
      case 'hostSignal':
        host.signal(call.flag, call.value);
        return undefined;
      case 'hostAwait':
        return host.awaitFlag(call.flag, call.value);
      default:
        throw new Error(`no host code for ${call.kind}`);
    }
  }

  private copy(host: CudaHost, call: Call & { kind: 'memcpy' }, stream: CudaStream | 0) {
    const { bytes, copy, async } = call;
    const own = this.program.streams.get(call.stream)?.device ?? 0;
    const [from, to] = [call.sourceDevice ?? own, call.destinationDevice ?? own];
    const [source, destination] = [this.memory[from] as CudaPointer, this.memory[to] as CudaPointer];
    if (copy === 'peer') {
      return async
        ? host.cudaMemcpyPeerAsync(destination, to, source, from, bytes, stream)
        : host.cudaMemcpyPeer(destination, to, source, from, bytes);
    }
    const hostMemory = call.hostMemory === 'pinned' ? this.pinned : this.pageable;
    const right = copy.endsWith('ToHost') ? hostMemory : destination;
    const left = copy.startsWith('host') ? hostMemory : source;
    return async
      ? host.cudaMemcpyAsync(right, left, bytes, cudaMemcpyDefault, stream)
      : host.cudaMemcpy(right, left, bytes, cudaMemcpyDefault);
  }

  private event(name: string): CudaEvent {
    return this.events.get(name) as CudaEvent;
  }

  private graph(name: string): CudaGraph {
    return known(this.graphs, name, () => new CudaGraph(name));
  }

  private executable(name: string): CudaGraphExec {
    return known(this.executables, name, () => new CudaGraphExec(name));
  }
}

function known<T>(map: Map<string, T>, name: string, make: () => T): T {
  const value = map.get(name) ?? make();
  map.set(name, value);
  return value;
}

/** The kernel as it was declared. */
function kernelOf(kernel: Kernel): CudaKernel {
  const { name, body, accesses: _, ...rest } = kernel;
  if (body.kind !== 'phases') throw new Error(`kernel "${name}" is of kind ${body.kind}`);
  const roles = body.roles.map((role) => ({
    ...role,
    phases: role.phases.map((phase): PhaseInput => {
      return 'duration' in phase ? { ...phase, duration: `${phase.duration}ps` } : phase;
    }),
  }));
  return cudaKernel(name, { ...rest, roles });
}
