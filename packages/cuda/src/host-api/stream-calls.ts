import type { DurationInput } from '@griddep/program';
import { parseDuration } from '@griddep/program';
import { cudaError } from '../errors.ts';
import {
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

  /** A function of the host that runs in stream order for so long. */
  cudaLaunchHostFunc(stream: StreamRef, duration: DurationInput): number {
    const resolver = this.resolve('cudaLaunchHostFunc');
    const call = { stream: resolver.stream(stream), duration: parseDuration(duration) };
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
    if (code === 0) this.process.graphs.add(graph, { name, shape: name, made: undefined });
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

  private captureStatus(name: string): keyof typeof STATUS {
    return this.context.runtime.captureStatus(this.context.port.index, name);
  }
}
