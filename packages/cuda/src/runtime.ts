import type { ImplicitSynchronization } from '@griddep/machine';
import type { Call, CaptureMode, Event, Graph, Kernel, Program, Stream } from '@griddep/program';
import { Allocations } from './allocations.ts';
import type { HostTimes } from './call-cost.ts';
import { captureForbids } from './capture-rules.ts';
import { type CollectiveGroups, Collectives, collectiveGroups } from './collectives.ts';
import type { ExecutableGraph } from './commands.ts';
import { memcpy, memset } from './copies.ts';
import { type CudaError, cudaError } from './errors.ts';
import { elapsedTime, recordEvent, synchronizeEvent, waitEvent } from './event-calls.ts';
import { Faults } from './faults.ts';
import { Graphs } from './graph-calls.ts';
import { getCaptureInfo } from './graph-queries.ts';
import { launchHostFunction } from './host-functions.ts';
import type { Issued, RuntimeStream } from './issued.ts';
import { Launches } from './launch.ts';
import type { DeviceRules } from './launch-rules.ts';
import { PeerAccess } from './peer-access.ts';
import { type Invocation, ProcessState } from './process-state.ts';
import { queryEvent, queryStream } from './queries.ts';
import { valueWork } from './stream-values.ts';

/** Numbers of operations, in order of their calls: the next, and the first that is not to be given. */
export interface OperationNumbers {
  next: number;
  readonly end: number;
}

/**
 * State of the CUDA runtime in one process: what handles mean, what a call orders and returns. Time is not its
 * business: `issue` says what a call costs and waits for, and the host actor lets it pass.
 */
export class CudaRuntime {
  private readonly state: ProcessState;
  private readonly launches: Launches;
  private readonly allocations: Allocations;
  private readonly graphs: Graphs;
  private readonly peers: PeerAccess;
  private readonly faults: Faults;
  private readonly collectives: Collectives;
  private readonly numbers: OperationNumbers = { next: 0, end: Number.POSITIVE_INFINITY };

  /**
   * @param groups members of collectives, where not all calls of the program are here
   * @param implicitSynchronization which calls synchronise beyond what an H200 was seen to (rules 6.6, 6.7)
   */
  constructor(
    program: Program,
    devices: readonly DeviceRules[],
    times: HostTimes,
    groups: CollectiveGroups = collectiveGroups(program),
    implicitSynchronization: ImplicitSynchronization = 'observed',
  ) {
    this.state = new ProcessState(program, devices, times, implicitSynchronization);
    this.peers = new PeerAccess(this.state);
    this.faults = new Faults(this.state, this.peers);
    this.collectives = new Collectives(this.state, groups);
    this.launches = new Launches(this.state, this.collectives);
    this.allocations = new Allocations(this.state, this.peers);
    this.graphs = new Graphs(this.state, this.launches, this.collectives);
  }

  /** Tells how the host sees whether a stream's work up to an operation is complete; until then all counts as complete. */
  watch(isComplete: (stream: number, op: number) => boolean): void {
    this.state.progress = isComplete;
  }

  /** All streams, by index; commands name them so. */
  get streams(): readonly RuntimeStream[] {
    return this.state.streams;
  }

  /**
   * Performs a call of a thread: changes handles, says what it costs, sends, and waits for. `label` is the author's id
   * of the operation; a captured node takes it. CUDA's errors are part of the answer.
   *
   * @param numbers where its operations get their numbers; without it from those of this runtime
   * @throws Error if the call uses a name that the program does not declare; RangeError when no number is left.
   */
  issue(thread: number, call: Call, label?: string, numbers: OperationNumbers = this.numbers): Issued {
    const op = numbers.next++;
    const forbidden = this.faults.seen(call) ?? captureForbids(this.state, thread, call);
    const issued =
      forbidden === undefined
        ? this.faults.noted(this.perform({ op, thread, call, label }))
        : this.state.fail({ op, thread, call, label }, forbidden);
    numbers.next += (issued.graph?.nodes.length ?? 0) + (issued.staged === undefined ? 0 : 2);
    if (numbers.next > numbers.end) throw new RangeError(`more than ${numbers.end} operations`);
    return issued;
  }

  /** A stream as a thread sees it. @throws Error if there is none of that name. */
  stream(thread: number, name: string): RuntimeStream {
    return this.state.stream(thread, name);
  }

  /** A call that fails for a reason outside of the runtime, such as a handle that is none; it costs its time. */
  refuse(thread: number, call: Call, error: CudaError, numbers: OperationNumbers = this.numbers): Issued {
    return this.state.fail({ op: numbers.next++, thread, call, label: undefined }, error);
  }

  /** A stream that is created now: its index is the next. */
  declareStream(stream: Stream): void {
    this.state.declareStream(stream);
  }

  /** An event that is created now. */
  declareEvent(event: Event): void {
    this.state.declareEvent(event);
  }

  /** A kernel of the program that can be launched from now on: its index is the next. */
  declareKernel(name: string): void {
    this.launches.declare(name);
    this.faults.declare(this.state.program.kernels.get(name) as Kernel);
  }

  /** A graph made by hand, in place of one of its name. */
  declareGraph(graph: Graph): void {
    this.graphs.declare(graph);
  }

  /** The newest graph of a name, made by hand or captured. */
  graph(name: string): ExecutableGraph | undefined {
    return this.graphs.made(name);
  }

  /** Whether a stream, as a thread sees it, is in a capture, and in one that goes on. */
  captureStatus(thread: number, stream: string): 'none' | 'active' | 'invalidated' {
    const capture = this.state.captureOf(this.state.stream(thread, stream));
    if (capture === undefined) return 'none';
    return capture.invalidated ? 'invalidated' : 'active';
  }

  /** Number of nodes that the next node of a stream in a capture would depend on (rule 5.20). */
  captureDependencies(thread: number, stream: string): number {
    const { index } = this.state.stream(thread, stream);
    return this.state.captureOf(this.state.stream(thread, stream))?.recorded(index).length ?? 0;
  }

  /** How captures restrict a thread (rule 5.20). */
  captureMode(thread: number): CaptureMode {
    return this.state.thread(thread).captureMode;
  }

  /** A kernel fails for a reason outside of the runtime: its stream and operation. */
  fail(stream: number, op: number, error: CudaError): void {
    this.faults.add(stream, op, error);
  }

  /** The error that every call returns since the host can see that a kernel has failed, if one has (rule 6.10). */
  get failure(): CudaError | undefined {
    return this.faults.visible;
  }

  /** Current device of a thread. */
  device(thread: number): number {
    return this.state.thread(thread).device;
  }

  /** The stream and operation that an event's newest record stands for; -1 for none. */
  recordOf(event: string): { readonly stream: number; readonly op: number } {
    return this.state.event(event);
  }

  private perform(invocation: Invocation): Issued {
    const { state } = this;
    const { thread, call } = invocation;
    switch (call.kind) {
      case 'launchKernel':
        return this.launches.launch({ ...invocation, call });
      case 'memcpy':
        return memcpy(state, this.peers, { ...invocation, call });
      case 'memset':
        return memset(state, { ...invocation, call });
      case 'launchHostFunc':
        return launchHostFunction(state, { ...invocation, call });
      case 'streamWaitValue':
      case 'streamWriteValue':
        return state.work(invocation, state.stream(thread, call.stream), valueWork(call));
      case 'streamGetCaptureInfo':
        return getCaptureInfo(state, { ...invocation, call });
      case 'graphGetEdges':
      case 'graphNodeGetDependencies':
      case 'graphNodeGetDependentNodes':
        return this.graphs.query({ ...invocation, call });
      case 'graphAddDependencies':
      case 'graphRemoveDependencies':
        return this.graphs.changeEdges({ ...invocation, call });
      case 'mallocAsync':
        return this.allocations.allocateAsync({ ...invocation, call });
      case 'freeAsync':
        return this.allocations.freeAsync({ ...invocation, call });
      case 'malloc':
        return this.allocations.allocate({ ...invocation, call });
      case 'free':
        return this.allocations.free({ ...invocation, call });
      case 'mallocHost':
        return this.allocations.allocateHost({ ...invocation, call });
      case 'freeHost':
        return this.allocations.freeHost({ ...invocation, call });
      case 'eventRecord':
        return recordEvent(state, { ...invocation, call });
      case 'streamWaitEvent':
        return waitEvent(state, { ...invocation, call });
      case 'eventSynchronize':
        return synchronizeEvent(state, { ...invocation, call });
      case 'eventQuery':
        return queryEvent(state, { ...invocation, call });
      case 'streamQuery':
        return queryStream(state, { ...invocation, call });
      case 'deviceEnablePeerAccess':
      case 'deviceDisablePeerAccess':
        return this.peers.change({ ...invocation, call });
      case 'eventElapsedTime':
        return elapsedTime(state, { ...invocation, call });
      case 'streamSynchronize': {
        const { index, last } = state.stream(thread, call.stream);
        return state.done(invocation, [[index, last]]);
      }
      case 'deviceSynchronize':
        return state.done(invocation, state.devicePending(state.thread(thread).device));
      case 'threadExchangeStreamCaptureMode':
        state.thread(thread).captureMode = call.mode;
        return state.done(invocation);
      case 'streamBeginCapture':
        return this.graphs.beginCapture({ ...invocation, call });
      case 'streamEndCapture':
        return this.graphs.endCapture({ ...invocation, call });
      case 'graphInstantiate':
        return this.graphs.instantiate({ ...invocation, call });
      case 'graphExecUpdate':
        return this.graphs.update({ ...invocation, call });
      case 'graphUpload':
        return this.graphs.upload({ ...invocation, call });
      case 'graphLaunch':
        return this.graphs.launch({ ...invocation, call });
      case 'setDevice':
        return this.setDevice(invocation, call.device);
      case 'hostAwait':
        return { ...state.done(invocation), block: { on: 'flag', flag: call.flag, value: call.value } };
      case 'collective':
        return this.collectives.call({ ...invocation, call });
      default:
        return state.done(invocation);
    }
  }

  private setDevice(invocation: Invocation, device: number): Issued {
    const { state } = this;
    if (state.devices[device] === undefined) {
      return state.fail(invocation, cudaError('cudaErrorInvalidDevice', `there are ${state.devices.length} devices`));
    }
    state.thread(invocation.thread).device = device;
    return state.done(invocation);
  }
}
