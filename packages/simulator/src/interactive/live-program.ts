import { type CudaError, CudaRuntime, cudaError, machineRules } from '@griddep/cuda';
import { type CudaHost, callingPlace, folderOf, HostProcess, HostUseError, stackHere } from '@griddep/cuda/host-api';
import { type Machine, resolveTiming } from '@griddep/machine';
import type { Call, DurationInput, Program } from '@griddep/program';
import type { LiveCalls } from '../host/live-calls.ts';
import type { DeclareMessage } from '../messages.ts';
import { LiveThread, type ThreadSurroundings } from './live-thread.ts';

const OWN = folderOf((import.meta as unknown as { readonly url: string }).url);

/** A host thread: its name, its device at the start, and the time that it spends between two calls. */
export interface ThreadOptions {
  readonly name?: string;
  readonly device?: number;
  readonly callGap?: DurationInput;
}

/**
 * A program that is made while it runs. Its code is ahead of virtual time by the calls that it makes without waiting: a
 * runtime of its own answers these at once, and the simulation's performs them when their time has come.
 */
export class LiveProgram implements LiveCalls, ThreadSurroundings {
  readonly process: HostProcess;
  readonly stamps = new Map<number, number>();
  readonly places: boolean;
  readonly groups = new Map<string, readonly number[]>();
  readonly threads: LiveThread[] = [];
  private readonly declarations: { name: string; device: number; callGap: DurationInput }[] = [];
  private readonly machine: Machine;
  private program: Program | undefined;
  private foremost: CudaRuntime | undefined;
  private runtime: CudaRuntime | undefined;
  private kernelsTold = 0;
  private streamsTold = 0;

  /** @param places whether the timeline tells of the places of calls */
  constructor(name: string, machine: Machine, places = true) {
    this.places = places;
    this.machine = machine;
    this.process = new HostProcess(name, machineRules(machine));
  }

  /** A thread that begins when the simulation does. @throws HostUseError when that has begun; ProgramError for bad options */
  addThread(body: (host: CudaHost) => unknown, options: ThreadOptions): LiveThread {
    const place = this.place(stackHere());
    if (this.program !== undefined) {
      throw new HostUseError(`host thread at ${place}: host threads are started before the first await`);
    }
    const index = this.threads.length;
    const { name = index === 0 ? 'main' : `thread${index}`, device = 0, callGap = 0 } = options;
    this.declarations.push({ name, device, callGap });
    const thread = new LiveThread(this, index, name, place, body);
    this.threads.push(thread);
    return thread;
  }

  /** @throws HostUseError when the simulation has begun */
  setenv(name: string, value: string): void {
    if (this.program !== undefined) {
      throw new HostUseError(`setenv at ${this.place(stackHere())}: the environment is set before the first await`);
    }
    this.process.setenv(name, value);
  }

  /** The program before it runs: threads without calls, and memory that is there from the start. */
  begin(): Program {
    this.program ??= this.process.start(this.declarations);
    return this.program;
  }

  /** Connects the code with the simulation's runtime. */
  attach(runtime: CudaRuntime): void {
    const { timing, implicitSynchronization } = this.machine.host;
    const times = resolveTiming(timing, 'host', () => {});
    this.runtime = runtime;
    this.foremost = new CudaRuntime(
      this.program as Program,
      this.process.devices,
      times,
      this.groups,
      implicitSynchronization,
    );
    // Only the simulation's runtime sees what is complete.
    this.foremost.watch(() => false);
    this.process.attach([this.foremost, runtime]);
    this.streamsTold = runtime.streams.length;
  }

  /** The runtime that is ahead of virtual time. */
  get ahead(): CudaRuntime {
    return this.foremost as CudaRuntime;
  }

  source(thread: number): LiveThread {
    return this.threads[thread] as LiveThread;
  }

  /** See `LiveCalls`. */
  declared(): DeclareMessage | undefined {
    const streams = (this.runtime as CudaRuntime).streams;
    const made = this.process.declared();
    if (made === undefined && streams.length === this.streamsTold) return undefined;
    const { kernels = [], buffers = [] } = made ?? {};
    const [firstKernel, firstStream] = [this.kernelsTold, this.streamsTold];
    this.kernelsTold += kernels.length;
    this.streamsTold = streams.length;
    const added = streams.slice(firstStream).map(({ device, priority }) => ({ device, priority }));
    return { type: 'declare', firstKernel, kernels, firstStream, streams: added, buffers };
  }

  /** A kernel touches memory that it may not: from its end on every call fails. */
  faults(stream: number, op: number, call: Call): void {
    const kernel = call.kind === 'launchKernel' ? this.process.program.kernels.get(call.kernel)?.name : call.kind;
    const message = `kernel "${kernel}" was passed memory that it may not touch`;
    this.runtime?.fail(stream, op, cudaError('cudaErrorIllegalAddress', message));
  }

  /** The error that all calls return since a kernel failed, if one did. */
  failed(): CudaError | undefined {
    return this.runtime?.failure;
  }

  /** Time between the records of two events, ps. */
  elapsed(call: Call): number | undefined {
    if (call.kind !== 'eventElapsedTime') return undefined;
    const [start, end] = [call.start, call.end].map((event) => this.stamps.get(this.runtime?.recordOf(event).op ?? -1));
    return start === undefined || end === undefined ? undefined : end - start;
  }

  /** See `ThreadSurroundings`. */
  place(here: Error): string {
    return callingPlace(this.shownFile, [OWN], here);
  }

  readonly shownFile = (file: string): string => file.slice(file.lastIndexOf('/') + 1);
}
