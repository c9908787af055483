import type { DurationInput } from '@griddep/program';
import { parseDuration } from '@griddep/program';
import { cudaError } from '../errors.ts';
import {
  CU_STREAM_WAIT_VALUE_GEQ,
  cudaStreamCaptureModeGlobal,
  cudaStreamCaptureModeRelaxed,
  cudaStreamCaptureModeThreadLocal,
  cudaStreamCaptureStatusActive,
  cudaStreamCaptureStatusInvalidated,
  cudaStreamCaptureStatusNone,
  cudaStreamDefault,
  cudaStreamNonBlocking,
} from './constants.ts';
import { type CudaEvent, CudaGraph, type CudaStream, type Out, type StreamRef } from './handles.ts';
import { HostCalls } from './host-calls.ts';
import type { Resolver } from './resolve.ts';

const MODES = new Map([
  [cudaStreamCaptureModeGlobal, 'global'],
  [cudaStreamCaptureModeThreadLocal, 'threadLocal'],
  [cudaStreamCaptureModeRelaxed, 'relaxed'],
] as const);

const STATUS = {
  none: cudaStreamCaptureStatusNone,
  active: cudaStreamCaptureStatusActive,
  invalidated: cudaStreamCaptureStatusInvalidated,
} as const;

/** Streams and their captures. */
export class StreamCalls extends HostCalls {
  /** A blocking stream of the current device. */
  cudaStreamCreate(stream: CudaStream): number {
    return this.cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
  }

  /** `flags`: cudaStreamDefault or cudaStreamNonBlocking. */
  cudaStreamCreateWithFlags(stream: CudaStream, flags: number): number {
    return this.cudaStreamCreateWithPriority(stream, flags, 0);
  }

  /** A smaller number is the higher priority; beyond the device's range it is clamped (rule 5.10). */
  cudaStreamCreateWithPriority(stream: CudaStream, flags: number, priority: number): number {
    const resolver = this.resolve('cudaStreamCreate');
    resolver.handle(stream, 'stream');
    resolver.require(flags === cudaStreamDefault || flags === cudaStreamNonBlocking, `${flags} is no flag of streams`);
    resolver.require(Number.isSafeInteger(priority), `${priority} is no priority`);
    return this.local(resolver, () => {
      const kind = flags === cudaStreamNonBlocking ? 'nonBlocking' : 'blocking';
      this.process.createStream(stream, { device: this.currentDevice, kind, priority });
    });
  }

  /** The handle is none afterwards; work in the stream goes on. A stream that is capturing is not destroyed (900). */
  cudaStreamDestroy(stream: CudaStream): number {
    const resolver = this.resolve('cudaStreamDestroy');
    const name = resolver.createdStream(stream);
    return this.local(resolver, () => {
      if (this.captureStatus(name) !== 'none') {
        return cudaError('cudaErrorStreamCaptureUnsupported', `stream "${name}" is capturing`);
      }
      this.process.destroyStream(stream);
      return undefined;
    });
  }

  /** `priority` gets the stream's, clamped to the device's range. */
  cudaStreamGetPriority(stream: StreamRef, priority: Out<number>): number {
    const resolver = this.resolve('cudaStreamGetPriority');
    const name = resolver.stream(stream);
    return this.local(resolver, () => {
      priority.value = this.context.runtime.stream(this.context.port.index, name).priority;
    });
  }

  /** The least and the greatest priority of streams of the current device. */
  cudaDeviceGetStreamPriorityRange(least: Out<number>, greatest: Out<number>): number {
    return this.local(this.resolve('cudaDeviceGetStreamPriorityRange'), () => {
      const limits = this.process.devices[this.currentDevice]?.limits;
      least.value = limits?.priorityLowest ?? 0;
      greatest.value = limits?.priorityHighest ?? 0;
    });
  }

  /** Later work of the stream comes after the event's newest record (rules 5.4, 5.5). */
  cudaStreamWaitEvent(stream: StreamRef, event: CudaEvent, flags = 0): number {
    const resolver = this.resolve('cudaStreamWaitEvent');
    const call = { kind: 'streamWaitEvent', stream: resolver.stream(stream), event: resolver.event(event) } as const;
    resolver.require(flags === 0 || flags === 1, `${flags} is no flag of waits`);
    return this.enqueue(resolver, flags === 1 ? { ...call, external: true } : call);
  }

  /** Later work of the stream comes after a flag in memory holds at least a value (rule 5.13). */
  cuStreamWaitValue32(stream: StreamRef, flag: string, value: number, flags = CU_STREAM_WAIT_VALUE_GEQ): number {
    const resolver = this.resolve('cuStreamWaitValue32');
    resolver.require(flags === CU_STREAM_WAIT_VALUE_GEQ, `${flags} is no flag of waits that is simulated`);
    return this.value(resolver, 'streamWaitValue', stream, flag, value);
  }

  /** The flag holds the value when the stream's work so far is complete (rule 5.13). */
  cuStreamWriteValue32(stream: StreamRef, flag: string, value: number): number {
    return this.value(this.resolve('cuStreamWriteValue32'), 'streamWriteValue', stream, flag, value);
  }

  /** A function of the host that runs in stream order for so long; `calls` a CUDA function that it must not call (rule 5.12). */
  cudaLaunchHostFunc(stream: StreamRef, duration: DurationInput, calls?: string): number {
    const resolver = this.resolve('cudaLaunchHostFunc');
    const named = { stream: resolver.stream(stream), duration: parseDuration(duration) };
    const call = calls === undefined ? named : { ...named, calls };
    return this.enqueue(resolver, { kind: 'launchHostFunc', ...call });
  }

  /** Returns when the stream's work so far is complete. */
  cudaStreamSynchronize(stream: StreamRef): Promise<number> {
    const resolver = this.resolve('cudaStreamSynchronize');
    return this.observe(resolver, { kind: 'streamSynchronize', stream: resolver.stream(stream) });
  }

  /** cudaSuccess, or cudaErrorNotReady while the stream has work that is not complete. */
  cudaStreamQuery(stream: StreamRef): Promise<number> {
    const resolver = this.resolve('cudaStreamQuery');
    return this.observe(resolver, { kind: 'streamQuery', stream: resolver.stream(stream) });
  }

  /** From now on work put into the stream becomes nodes of a graph (rule 5.20). */
  cudaStreamBeginCapture(stream: StreamRef, mode: number): number {
    const resolver = this.resolve('cudaStreamBeginCapture');
    const name = resolver.stream(stream);
    const known = MODES.get(mode as 0);
    resolver.require(known !== undefined, `${mode} is no mode of captures`);
    return this.enqueue(resolver, { kind: 'streamBeginCapture', stream: name, mode: known ?? 'global' });
  }

  /** Ends the capture; `graph` gets what was captured, and is no graph if that failed (rule 5.21). */
  cudaStreamEndCapture(stream: StreamRef, graph: CudaGraph): number {
    const resolver = this.resolve('cudaStreamEndCapture');
    resolver.handle(graph, 'graph');
    const name = this.process.nameFor(graph instanceof CudaGraph ? (graph.name ?? 'graph') : 'graph');
    const code = this.enqueue(resolver, { kind: 'streamEndCapture', stream: resolver.stream(stream), graph: name });
    if (code === 0) this.process.graphs.add(graph, { name, shape: name, made: undefined, captured: new Map() });
    return code;
  }

  /** `status` gets cudaStreamCaptureStatusNone, Active or Invalidated. */
  cudaStreamIsCapturing(stream: StreamRef, status: Out<number>): number {
    const resolver = this.resolve('cudaStreamIsCapturing');
    const name = resolver.stream(stream);
    return this.local(resolver, () => {
      status.value = STATUS[this.captureStatus(name)];
    });
  }

  /**
   * `status` as above, `dependencies` the number of nodes that the stream's next one would depend on; without asking for
   * the edges' data (`withData`) an error where one is not a full one (rule 4.5).
   */
  cudaStreamGetCaptureInfo(
    stream: StreamRef,
    status: Out<number>,
    dependencies?: Out<number>,
    withData = false,
  ): number {
    const resolver = this.resolve('cudaStreamGetCaptureInfo');
    const name = resolver.stream(stream);
    const code = this.enqueue(resolver, { kind: 'streamGetCaptureInfo', stream: name, edgeData: withData });
    if (code !== 0) return code;
    status.value = STATUS[this.captureStatus(name)];
    if (dependencies !== undefined) {
      dependencies.value = this.context.runtime.captureDependencies(this.context.port.index, name);
    }
    return code;
  }

  /** How captures restrict this thread from now on; `mode` gets how they did before (rule 5.20). */
  cudaThreadExchangeStreamCaptureMode(mode: Out<number>): number {
    const resolver = this.resolve('cudaThreadExchangeStreamCaptureMode');
    const known = MODES.get(mode.value as 0);
    resolver.require(known !== undefined, `${mode.value} is no mode of captures`);
    const before = this.context.runtime.captureMode(this.context.port.index);
    const code = this.enqueue(resolver, { kind: 'threadExchangeStreamCaptureMode', mode: known ?? 'global' });
    if (code === 0) mode.value = [...MODES].find(([, name]) => name === before)?.[0];
    return code;
  }

  private value(
    resolver: Resolver,
    kind: 'streamWaitValue' | 'streamWriteValue',
    stream: StreamRef,
    flag: string,
    value: number,
  ): number {
    resolver.require(Number.isInteger(value) && value >= 0 && value < 2 ** 32, `${value} is no value of 32 bits`);
    return this.enqueue(resolver, { kind, stream: resolver.stream(stream), flag, value });
  }

  private captureStatus(name: string): keyof typeof STATUS {
    return this.context.runtime.captureStatus(this.context.port.index, name);
  }
}
