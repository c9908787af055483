import type { Call } from '@griddep/program';
import { type CudaError, cudaError } from '../errors.ts';
import type { CudaRuntime } from '../runtime.ts';
import { callingPlace } from './place.ts';
import type { Answer, MadeCall, ThreadPort } from './port.ts';
import type { HostProcess } from './process.ts';
import { Resolver } from './resolve.ts';

/** What the methods of a host thread work with. */
export interface HostContext {
  readonly process: HostProcess;
  /** State of the process as the calls made so far leave it. */
  readonly runtime: CudaRuntime;
  readonly port: ThreadPort;
  /** How places name a file; undefined where places are not wanted. */
  readonly shownFile: ((file: string) => string) | undefined;
}

/** How calls are made, and what they return: shared by all parts of the API. */
export class HostCalls {
  protected readonly context: HostContext;
  /** Whether this thread has called CUDA. */
  protected calledCuda = false;
  private lastError: CudaError | undefined;
  private nextLabel: string | undefined;
  private readonly ranges: string[] = [];

  constructor(context: HostContext) {
    this.context = context;
  }

  /** Names the operation of the next call in the timeline. */
  label(id: string): this {
    this.nextLabel = id;
    return this;
  }

  /** cudaGetLastError: the last error of this thread's calls, which is forgotten unless it is sticky. */
  cudaGetLastError(): number {
    const code = this.cudaPeekAtLastError();
    this.lastError = undefined;
    this.context.port.late = undefined;
    return code;
  }

  /** cudaPeekAtLastError: the same, and it stays. */
  cudaPeekAtLastError(): number {
    return (this.context.port.failed() ?? this.lastError ?? this.context.port.late)?.code ?? 0;
  }

  /** nvtxRangePush: names what is enqueued until `nvtxRangePop`. */
  nvtxRangePush(name: string): void {
    this.ranges.push(name);
  }

  /** nvtxRangePop. */
  nvtxRangePop(): void {
    this.ranges.pop();
  }

  protected get process(): HostProcess {
    return this.context.process;
  }

  protected get currentDevice(): number {
    return this.context.runtime.device(this.context.port.index);
  }

  /** What looks at the arguments of one call, which fails from the start after a kernel has failed, if it is CUDA's. */
  protected resolve(what: string, outsideCuda = false): Resolver {
    const { port, process } = this.context;
    port.assertRunning(what);
    this.calledCuda ||= !outsideCuda;
    const resolver = new Resolver(process, this.currentDevice, outsideCuda ? undefined : port.failed());
    resolver.label = this.nextLabel;
    this.nextLabel = undefined;
    return resolver;
  }

  /** A call that enqueues; its code. */
  protected enqueue(resolver: Resolver, call: Call, faults = false): number {
    return this.enqueued(resolver, call, faults)?.code ?? 0;
  }

  /** The same; its error. */
  protected enqueued(resolver: Resolver, call: Call, faults = false): CudaError | undefined {
    const error = this.context.port.enqueue(this.made(call, resolver, faults));
    this.note(error);
    return error;
  }

  /** A call that observes or blocks; its code when it has returned. */
  protected observe(resolver: Resolver, call: Call): Promise<number> {
    return this.observed(resolver, call).then(({ error }) => error?.code ?? 0);
  }

  /** The same with all that is known then. */
  protected observed(resolver: Resolver, call: Call): Promise<Answer> {
    const returned = this.context.port.observe(this.made(call, resolver, false));
    return returned.then((answer) => {
      this.note(answer.error);
      return answer;
    });
  }

  /** A call that takes no time and leaves no trace: `effect` unless there is an error. */
  protected local({ error }: Resolver, effect: () => CudaError | undefined): number {
    return this.note(error ?? effect());
  }

  /** A call of those that return at once, but in which an awaited one has its answer. */
  protected settled(resolver: Resolver, effect: () => CudaError | undefined): Promise<number> {
    return this.context.port.now().then(() => this.local(resolver, effect));
  }

  protected invalid(message: string): CudaError {
    return cudaError('cudaErrorInvalidValue', message);
  }

  private note(error: CudaError | undefined): number {
    if (error === undefined) return 0;
    this.lastError = error;
    return error.code;
  }

  private made(call: Call, { error: refused, label }: Resolver, faults: boolean): MadeCall {
    const { shownFile } = this.context;
    return {
      call,
      label,
      path: this.ranges.join('/'),
      origin: shownFile === undefined ? '' : callingPlace(shownFile),
      ...(refused === undefined ? {} : { refused }),
      ...(faults ? { faults } : {}),
    };
  }
}
