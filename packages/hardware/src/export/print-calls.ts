import type { Call } from '@griddep/program';
import { ExportError } from './export-error.ts';
import type { Measurable } from './measurable.ts';
import { known } from './objects.ts';
import { PORTS } from './print-graphs.ts';
import type { Names } from './print-names.ts';

const CAPTURE = { global: 'Global', threadLocal: 'ThreadLocal', relaxed: 'Relaxed' } as const;

/** Writes calls as CUDA C++, one statement each. */
export class CallPrinter {
  private readonly measured: Measurable;
  private readonly names: Names;
  private readonly launches: ReadonlyMap<string, number>;

  /** @param launches numbers of launches, by their places */
  constructor(measured: Measurable, names: Names, launches: ReadonlyMap<string, number>) {
    this.measured = measured;
    this.names = names;
    this.launches = launches;
  }

  /** The statement of a call: the `i`-th of a thread. */
  statement(thread: number, i: number, call: Call): string {
    const cuda = (text: string) => `CALL(${thread}, ${i}, ${text});`;
    const host = (text: string) => `HOST(${thread}, ${i}, ${text});`;
    switch (call.kind) {
      case 'launchKernel': {
        if (call.kernel === this.measured.gateKernel) {
          const device = this.names.program.streams.get(call.stream)?.device ?? 0;
          const flag = this.names.objects.flag(this.measured.gateFlag);
          return `GATE(${thread}, ${i}, ${device}, ${known(this.names.objects.streams, call.stream)}, ${flag});`;
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
        return cuda(`${name}(${this.names.event(call.event)}, ${this.names.stream(call.stream)}${flags})`);
      }
      case 'streamWaitEvent': {
        const flags = call.external === true ? 'cudaEventWaitExternal' : '0';
        return cuda(
          `cudaStreamWaitEvent(${this.names.stream(call.stream)}, ${this.names.event(call.event)}, ${flags})`,
        );
      }
      case 'streamSynchronize':
        return cuda(`cudaStreamSynchronize(${this.names.stream(call.stream)})`);
      case 'eventSynchronize':
        return cuda(`cudaEventSynchronize(${this.names.event(call.event)})`);
      case 'deviceSynchronize':
        return cuda('cudaDeviceSynchronize()');
      case 'streamQuery':
        return cuda(`notReadyIsFine(cudaStreamQuery(${this.names.stream(call.stream)}))`);
      case 'eventQuery':
        return cuda(`notReadyIsFine(cudaEventQuery(${this.names.event(call.event)}))`);
      case 'eventElapsedTime':
        return `{ float ms_ = 0; ${cuda(`cudaEventElapsedTime(&ms_, ${this.names.event(call.start)}, ${this.names.event(call.end)})`)} }`;
      case 'launchHostFunc': {
        if (call.calls !== undefined)
          throw new ExportError(`a host function that calls ${call.calls} is an error in CUDA`);
        const ns = Math.round(call.duration / 1000);
        return cuda(
          `cudaLaunchHostFunc(${this.names.stream(call.stream)}, hostFunction, reinterpret_cast<void*>(static_cast<size_t>(${ns})))`,
        );
      }
      case 'streamWaitValue':
      case 'streamWriteValue': {
        const name = call.kind === 'streamWaitValue' ? 'cuStreamWaitValue32' : 'cuStreamWriteValue32';
        return cuda(
          `streamValue("${name}", ${this.names.stream(call.stream)}, p.flag(${this.names.objects.flag(call.flag)}), ${call.value})`,
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
        return cuda(
          `cudaStreamBeginCapture(${this.names.stream(call.stream)}, cudaStreamCaptureMode${CAPTURE[call.mode]})`,
        );
      case 'threadExchangeStreamCaptureMode':
        return `{ cudaStreamCaptureMode mode_ = cudaStreamCaptureMode${CAPTURE[call.mode]}; ${cuda('cudaThreadExchangeStreamCaptureMode(&mode_)')} }`;
      case 'streamEndCapture':
        return cuda(`cudaStreamEndCapture(${this.names.stream(call.stream)}, &${this.names.graph(call.graph)})`);
      case 'streamGetCaptureInfo':
        return cuda(`captureInfo(${this.names.stream(call.stream)})`);
      case 'graphGetEdges':
        return cuda(`edgesOf(${this.names.graph(call.graph)})`);
      case 'graphNodeGetDependencies':
      case 'graphNodeGetDependentNodes':
        throw new ExportError(`${call.kind}: queries of single nodes cannot be written out`);
      case 'graphAddDependencies':
      case 'graphRemoveDependencies': {
        const name = call.kind === 'graphAddDependencies' ? 'addEdge' : 'removeEdge';
        const [from, to] = [this.names.node(call.graph, call.from), this.names.node(call.graph, call.to)];
        const edge = `${PORTS[call.fromPort]}, ${call.type === 'programmatic'}`;
        return cuda(`${name}(${this.names.graph(call.graph)}, ${from}, ${to}, ${edge})`);
      }
      case 'graphInstantiate':
        return cuda(
          `cudaGraphInstantiate(&${this.names.executable(call.executable)}, ${this.names.graph(call.graph)}, 0)`,
        );
      case 'graphUpload':
        return cuda(`cudaGraphUpload(${this.names.executable(call.executable)}, ${this.names.stream(call.stream)})`);
      case 'graphLaunch':
        return cuda(`cudaGraphLaunch(${this.names.executable(call.executable)}, ${this.names.stream(call.stream)})`);
      case 'graphExecUpdate':
        return cuda(`updateExecutable(${this.names.executable(call.executable)}, ${this.names.graph(call.graph)})`);
      case 'hostCompute':
        return host(`spinFor(${Math.round(call.duration / 1000)})`);
      case 'hostSignal':
        return host(`raiseFlag(p.flag(${this.names.objects.flag(call.flag)}), ${call.value})`);
      case 'hostAwait':
        return host(`awaitFlag(p.flag(${this.names.objects.flag(call.flag)}), ${call.value})`);
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

  private copy(call: Call & { readonly kind: 'memcpy' }): string {
    const { to, from, bytes, kind } = this.names.sides(call);
    if (call.copy === 'peer') {
      const ends = `${to}, ${call.destinationDevice ?? 0}, ${from}, ${call.sourceDevice ?? 0}, ${bytes}`;
      return call.async ? `cudaMemcpyPeerAsync(${ends}, ${this.names.stream(call.stream)})` : `cudaMemcpyPeer(${ends})`;
    }
    const ends = `${to}, ${from}, ${bytes}, ${kind}`;
    return call.async ? `cudaMemcpyAsync(${ends}, ${this.names.stream(call.stream)})` : `cudaMemcpy(${ends})`;
  }

  private memset(call: Call & { readonly kind: 'memset' }): string {
    const to = `${this.names.target(call)}, 0, ${call.bytes}`;
    return call.async ? `cudaMemsetAsync(${to}, ${this.names.stream(call.stream)})` : `cudaMemset(${to})`;
  }

  private allocation(call: Call & { readonly buffer: string }): string {
    const allocation = this.names.program.buffers.get(call.buffer)?.allocation ?? call.buffer;
    const memory = `p.memories[${known(this.names.objects.allocations, allocation)}]`;
    const made = `reinterpret_cast<void**>(&${memory}.pointer), ${memory}.bytes`;
    switch (call.kind) {
      case 'malloc':
        return `cudaMalloc(${made})`;
      case 'mallocHost':
        return `cudaHostAlloc(${made}, cudaHostAllocPortable | cudaHostAllocMapped)`;
      case 'mallocAsync':
        return `cudaMallocAsync(${made}, ${this.names.stream((call as { stream: string }).stream)})`;
      case 'free':
        return `cudaFree(std::exchange(${memory}.pointer, nullptr))`;
      case 'freeHost':
        return `cudaFreeHost(std::exchange(${memory}.pointer, nullptr))`;
      default:
        return `cudaFreeAsync(std::exchange(${memory}.pointer, nullptr), ${this.names.stream((call as { stream: string }).stream)})`;
    }
  }
}
