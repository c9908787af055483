import type { Call, CallOf, Event, Kernel, Picoseconds, Program, Stream } from '@griddep/program';
import { callCost, type HostTimes } from './call-cost.ts';
import { Capture } from './capture.ts';
import type { Command, ExecutableGraph, Milestone, NodeEdge, NodeWork, Order } from './commands.ts';
import { LegacyOrder } from './default-streams.ts';
import { type CudaError, cudaError } from './errors.ts';
import { executableFromGraph } from './graph.ts';
import { checkLaunch, type DeviceRules } from './launch-rules.ts';

/** What a call waits for before it returns. */
export type Block =
  /** Each stream's work up to an operation is complete; `until` holds (stream, operation) pairs. */
  | { readonly on: 'streams'; readonly until: readonly (readonly [stream: number, op: number])[] }
  | { readonly on: 'flag'; readonly flag: string; readonly value: number };

/** What a call did. */
export interface Issued {
  /** Number of the operation; graph nodes take the numbers that follow their launch. */
  readonly op: number;
  /** Host time before the call returns, or begins to wait. */
  readonly cost: Picoseconds;
  readonly commands: readonly { readonly device: number; readonly command: Command }[];
  readonly block?: Block;
  /** Host time after the wait, beyond the completion being visible. */
  readonly error?: CudaError;
  /** True when the call went into a capture. */
  readonly captured: boolean;
  /** For graph launches, what was launched. */
  readonly graph?: ExecutableGraph;
}

/** A stream of the running process; per-thread default streams exist once a thread. */
export interface RuntimeStream {
  readonly index: number;
  readonly name: string;
  readonly device: number;
  readonly kind: Stream['kind'];
  readonly priority: number;
  /** Newest operation, or -1. */
  last: number;
}

interface EventState {
  readonly event: Event;
  /** Operation that the newest record stands for, -1 if never recorded. */
  op: number;
  stream: number;
  milestone: Milestone;
  captured: { capture: Capture; edges: readonly NodeEdge[] } | undefined;
}

interface ThreadState {
  readonly name: string;
  device: number;
  readonly devicesUsed: Set<number>;
}

/**
 * State of the CUDA runtime in one process: what handles mean, what a call orders and returns. Time is not its
 * business: `issue` says what a call costs and waits for, and the host actor lets it pass.
 */
export class CudaRuntime {
  readonly streams: RuntimeStream[] = [];
  private readonly streamIndex = new Map<string, number>();
  private readonly events = new Map<string, EventState>();
  private readonly kernelIndex = new Map<string, number>();
  private readonly executables = new Map<string, ExecutableGraph>();
  private readonly graphs = new Map<string, ExecutableGraph>();
  private readonly captures: Capture[] = [];
  private readonly legacy: LegacyOrder[];
  private readonly threads: ThreadState[];
  private readonly poolBytes: number[];
  private readonly allocated: number[];
  private readonly poolUsed: number[];
  private readonly program: Program;
  private readonly devices: readonly DeviceRules[];
  private readonly times: HostTimes;
  private readonly kernels: readonly Kernel[];
  private nextOp = 0;
  private label: string | undefined;

  constructor(program: Program, devices: readonly DeviceRules[], times: HostTimes) {
    this.program = program;
    this.devices = devices;
    this.times = times;
    this.kernels = [...program.kernels.values()];
    this.kernels.forEach((k, i) => this.kernelIndex.set(k.name, i));
    for (const stream of program.streams.values()) {
      if (stream.kind !== 'perThread') this.addStream(stream.name, stream);
    }
    for (const event of program.events.values()) {
      this.events.set(event.name, { event, op: -1, stream: -1, milestone: 'complete', captured: undefined });
    }
    for (const graph of program.graphs.values()) {
      this.graphs.set(graph.name, executableFromGraph(graph, (call) => this.nodeWork(call)));
    }
    this.legacy = devices.map(() => new LegacyOrder());
    this.poolBytes = devices.map(() => 0);
    this.poolUsed = devices.map(() => 0);
    this.allocated = devices.map(() => 0);
    const allocatedByCalls = new Set<string>();
    for (const thread of program.threads) {
      for (let i = 0; i < thread.calls.length; i++) {
        const call = thread.calls.at(i);
        if (call.kind === 'malloc' || call.kind === 'mallocAsync') allocatedByCalls.add(call.buffer);
      }
    }
    for (const buffer of program.buffers.values()) {
      if (buffer.space === 'device' && !allocatedByCalls.has(buffer.name)) {
        this.allocated[buffer.device] = (this.allocated[buffer.device] ?? 0) + buffer.bytes;
      }
    }
    this.threads = program.threads.map((t) => ({ name: t.name, device: t.device, devicesUsed: new Set<number>() }));
    for (const stream of program.streams.values()) {
      if (stream.kind !== 'perThread') continue;
      for (const thread of program.threads) this.addStream(`${stream.name}@${thread.name}`, stream);
    }
  }

  /**
   * Performs a call of a thread: changes handles, says what it costs, sends, and waits for. `label` is the author's id
   * of the operation; a captured node takes it.
   */
  issue(thread: number, call: Call, label?: string): Issued {
    const op = this.nextOp++;
    this.label = label;
    switch (call.kind) {
      case 'launchKernel':
        return this.launch(op, thread, call);
      case 'memcpy':
        return this.memcpy(op, thread, call);
      case 'memset':
        return this.streamWork(op, thread, call, call.stream, (base) => ({ type: 'memset', bytes: call.bytes, ...base }), !call.async);
      case 'launchHostFunc':
        return this.streamWork(op, thread, call, call.stream, (base) => ({ type: 'hostFunction', duration: call.duration, ...base }));
      case 'mallocAsync':
      case 'freeAsync':
        return this.poolCall(op, thread, call);
      case 'eventRecord':
        return this.record(op, thread, call);
      case 'streamWaitEvent':
        return this.waitEvent(op, thread, call);
      case 'streamSynchronize':
        return this.synchronize(op, thread, call, this.stream(thread, call.stream));
      case 'deviceSynchronize':
        return this.blocked(op, thread, call, this.devicePending(this.thread(thread).device));
      case 'eventSynchronize':
        return this.synchronizeEvent(op, thread, call);
      case 'malloc':
      case 'free':
        return this.deviceAllocation(op, thread, call);
      case 'streamBeginCapture':
        return this.beginCapture(op, thread, call);
      case 'streamEndCapture':
        return this.endCapture(op, thread, call);
      case 'graphInstantiate':
      case 'graphExecUpdate':
        return this.instantiate(op, thread, call);
      case 'graphLaunch':
        return this.launchGraph(op, thread, call);
      case 'setDevice':
        return this.setDevice(op, thread, call);
      case 'hostAwait':
        return { ...this.plain(op, thread, call), block: { on: 'flag', flag: call.flag, value: call.value } };
      case 'collective':
        return this.fail(op, thread, call, cudaError('cudaErrorNotSupported', 'collectives need several ranks'));
      default:
        return this.plain(op, thread, call);
    }
  }

  /** The operation that an event's newest record stands for, and its stream; -1 if never recorded. */
  eventRecorded(name: string): { op: number; stream: number } {
    const state = this.event(name);
    return { op: state.op, stream: state.stream };
  }

  /** Index of a stream as a thread sees it. */
  stream(thread: number, name: string): RuntimeStream {
    const index = this.streamIndex.get(name) ?? this.streamIndex.get(`${name}@${this.thread(thread).name}`);
    const stream = index === undefined ? undefined : this.streams[index];
    if (stream === undefined) throw new Error(`unknown stream "${name}"`);
    return stream;
  }

  private addStream(name: string, stream: Stream): void {
    const index = this.streams.length;
    const { device, kind, priority } = stream;
    this.streams.push({ index, name, device, kind, priority: this.devices[device]?.clampPriority(priority) ?? 0, last: -1 });
    this.streamIndex.set(name, index);
  }

  private launch(op: number, thread: number, call: CallOf<'launchKernel'>): Issued {
    const stream = this.stream(thread, call.stream);
    const kernel = this.program.kernels.get(call.kernel) as Kernel;
    const rules = this.devices[stream.device] as DeviceRules;
    if (stream.device !== this.thread(thread).device) {
      return this.fail(op, thread, call, cudaError('cudaErrorInvalidResourceHandle', `stream "${stream.name}" belongs to device ${stream.device}, the current device is ${this.thread(thread).device} (rule 5.9)`));
    }
    const refused = checkLaunch(kernel, call.attributes, rules);
    if (refused !== undefined) return this.fail(op, thread, call, refused);
    const work = this.kernelWork(call, stream, rules);
    const capture = this.captureOf(stream.index);
    const events = this.attributeEvents(call);
    if (capture !== undefined) {
      const node = capture.append(stream.index, this.nodeId(capture, call.kernel), stream.device, work, work.programmatic);
      for (const { name, milestone, programmatic } of events) {
        this.event(name).captured = { capture, edges: [{ from: node, milestone, programmatic }] };
      }
      return this.plain(op, thread, call, true);
    }
    const issued = this.enqueue(op, thread, call, stream, (base) => ({ ...work, ...base }));
    for (const { name, streamMilestone } of events) {
      Object.assign(this.event(name), { op, stream: stream.index, milestone: streamMilestone, captured: undefined });
    }
    return issued;
  }

  /**
   * Events that a launch records. In a stream a programmatic event fires at completion, as an H200 was seen to do
   * (rule 3.1, section 11); captured, its edges follow rule 4.4.
   */
  private attributeEvents(call: CallOf<'launchKernel'>): { name: string; milestone: Milestone; programmatic: boolean; streamMilestone: Milestone }[] {
    const { programmaticEvent, launchCompletionEvent } = call.attributes;
    const events: { name: string; milestone: Milestone; programmatic: boolean; streamMilestone: Milestone }[] = [];
    if (programmaticEvent !== undefined) {
      const milestone = programmaticEvent.triggerAtBlockStart ? 'started' : 'triggered';
      events.push({ name: programmaticEvent.event, milestone, programmatic: true, streamMilestone: 'complete' });
    }
    if (launchCompletionEvent !== undefined) {
      events.push({ name: launchCompletionEvent.event, milestone: 'started', programmatic: false, streamMilestone: 'started' });
    }
    return events;
  }

  private kernelWork(call: CallOf<'launchKernel'>, stream: RuntimeStream, rules: DeviceRules): NodeWork & { type: 'kernel' } {
    const { attributes } = call;
    return {
      type: 'kernel',
      kernel: this.kernelIndex.get(call.kernel) as number,
      programmatic: attributes.programmaticStreamSerialization === true && rules.programmaticLaunch,
      cooperative: attributes.cooperative === true,
      priority: attributes.priority === undefined ? stream.priority : rules.clampPriority(attributes.priority),
      triggerAtStart: attributes.programmaticEvent?.triggerAtBlockStart === true,
    };
  }

  private memcpy(op: number, thread: number, call: CallOf<'memcpy'>): Issued {
    const stream = this.stream(thread, call.stream);
    if (call.copy === 'hostToHost') return this.blocked(op, thread, call, [[stream.index, stream.last]]);
    const capture = this.captureOf(stream.index);
    if (capture !== undefined && call.copy === 'peer') {
      return this.fail(op, thread, call, cudaError('cudaErrorStreamCaptureUnsupported', 'a peer copy cannot be captured (rule 6.13)'));
    }
    const host = call.copy === 'hostToDevice' || call.copy === 'deviceToHost';
    const staged = host && call.hostMemory === 'pageable';
    const blocks = staged
      ? !(call.async && call.copy === 'hostToDevice' && call.bytes <= this.times.pageableAsync)
      : !call.async && call.copy !== 'deviceToDevice';
    const work = this.copyWork(call, stream, staged);
    return this.streamWork(op, thread, call, call.stream, (base) => ({ ...work, ...base }), blocks);
  }

  private copyWork(call: CallOf<'memcpy'>, stream: RuntimeStream, staged: boolean): NodeWork & { type: 'copy' } {
    const up = call.copy === 'hostToDevice';
    return {
      type: 'copy',
      copy: call.copy,
      bytes: call.bytes,
      hostMemory: call.hostMemory,
      stagingRate: staged ? (up ? this.times.pageableUp : this.times.pageableDown) : 0,
      sourceDevice: call.sourceDevice ?? stream.device,
      destinationDevice: call.destinationDevice ?? stream.device,
    };
  }

  private poolCall(op: number, thread: number, call: CallOf<'mallocAsync' | 'freeAsync'>): Issued {
    const stream = this.stream(thread, call.stream);
    const device = stream.device;
    const bytes = this.program.buffers.get(call.buffer)?.bytes ?? 0;
    let grown = 0;
    const first = this.poolBytes[device] === 0;
    if (call.kind === 'mallocAsync') {
      const used = (this.poolUsed[device] as number) + bytes;
      grown = Math.max(0, used - (this.poolBytes[device] as number));
      if ((this.allocated[device] as number) + grown > (this.devices[device]?.memoryBytes ?? 0)) return this.outOfMemory(op, thread, call, device);
      this.poolUsed[device] = used;
      this.poolBytes[device] = Math.max(this.poolBytes[device] as number, used);
      this.allocated[device] = (this.allocated[device] as number) + grown;
    } else this.poolUsed[device] = Math.max(0, (this.poolUsed[device] as number) - bytes);
    const issued = this.streamWork(op, thread, call, call.stream, (base) => ({ type: 'pool', ...base }));
    return { ...issued, cost: this.cost(thread, call, { grownBytes: first ? 0 : grown, firstAllocation: first }) };
  }

  private deviceAllocation(op: number, thread: number, call: CallOf<'malloc' | 'free'>): Issued {
    const buffer = this.program.buffers.get(call.buffer);
    const device = buffer?.device ?? 0;
    const bytes = buffer?.bytes ?? 0;
    const allocated = (this.allocated[device] as number) + (call.kind === 'malloc' ? bytes : -bytes);
    if (allocated > (this.devices[device]?.memoryBytes ?? 0)) return this.outOfMemory(op, thread, call, device);
    this.allocated[device] = Math.max(0, allocated);
    return this.blocked(op, thread, call, this.devicePending(device));
  }

  private outOfMemory(op: number, thread: number, call: Call, device: number): Issued {
    const capacity = this.devices[device]?.memoryBytes ?? 0;
    return this.fail(op, thread, call, cudaError('cudaErrorMemoryAllocation', `device ${device} has ${capacity} bytes`));
  }

  private record(op: number, thread: number, call: CallOf<'eventRecord'>): Issued {
    const stream = this.stream(thread, call.stream);
    const state = this.event(call.event);
    if (state.event.device !== stream.device) {
      return this.fail(op, thread, call, cudaError('cudaErrorInvalidResourceHandle', `event "${call.event}" is of device ${state.event.device}, stream "${stream.name}" of device ${stream.device} (rule 5.4)`));
    }
    const capture = this.captureOf(stream.index);
    if (capture !== undefined && call.external !== true) {
      state.captured = { capture, edges: capture.recorded(stream.index) };
      return this.plain(op, thread, call, true);
    }
    const issued = this.enqueue(op, thread, call, stream, (base) => ({ type: 'record', timing: state.event.timing, ...base }), { timing: state.event.timing });
    Object.assign(state, { op, stream: stream.index, milestone: 'complete', captured: undefined });
    return issued;
  }

  private waitEvent(op: number, thread: number, call: CallOf<'streamWaitEvent'>): Issued {
    const stream = this.stream(thread, call.stream);
    const state = this.event(call.event);
    const capture = this.captureOf(stream.index);
    if (state.captured !== undefined && call.external !== true) {
      if (capture !== undefined && capture !== state.captured.capture) {
        return this.fail(op, thread, call, cudaError('cudaErrorStreamCaptureMerge', `event "${call.event}" belongs to another capture (rule 5.21)`));
      }
      state.captured.capture.join(stream.index, state.captured.edges);
      return this.plain(op, thread, call, true);
    }
    if (capture !== undefined && call.external !== true) {
      return this.fail(op, thread, call, cudaError('cudaErrorStreamCaptureIsolation', `event "${call.event}" was recorded outside the capture (rule 5.23)`));
    }
    const eventStream = this.streams[state.stream];
    const onDevice = eventStream?.device ?? stream.device;
    return this.enqueue(op, thread, call, stream, (base) => ({ type: 'wait', on: state.op, onDevice, milestone: state.milestone, ...base }), { otherDevice: state.event.device !== stream.device });
  }

  private synchronize(op: number, thread: number, call: Call, stream: RuntimeStream): Issued {
    if (this.captureOf(stream.index) !== undefined) {
      return this.fail(op, thread, call, cudaError('cudaErrorStreamCaptureUnsupported', `stream "${stream.name}" is capturing`));
    }
    return this.blocked(op, thread, call, [[stream.index, stream.last]]);
  }

  private synchronizeEvent(op: number, thread: number, call: CallOf<'eventSynchronize'>): Issued {
    const state = this.event(call.event);
    if (state.captured !== undefined) {
      return this.fail(op, thread, call, cudaError('cudaErrorCapturedEvent', `event "${call.event}" was recorded in a capture`));
    }
    return this.blocked(op, thread, call, state.op < 0 ? [] : [[state.stream, state.op]]);
  }

  private beginCapture(op: number, thread: number, call: CallOf<'streamBeginCapture'>): Issued {
    const stream = this.stream(thread, call.stream);
    if (stream.kind === 'legacy' || this.captureOf(stream.index) !== undefined) {
      return this.fail(op, thread, call, cudaError('cudaErrorStreamCaptureUnsupported', `stream "${stream.name}" cannot begin a capture (rule 5.20)`));
    }
    this.captures.push(new Capture('', stream.index, thread, call.mode));
    return this.plain(op, thread, call, true);
  }

  private endCapture(op: number, thread: number, call: CallOf<'streamEndCapture'>): Issued {
    const stream = this.stream(thread, call.stream);
    const capture = this.captureOf(stream.index);
    if (capture === undefined || capture.origin !== stream.index) {
      return this.fail(op, thread, call, cudaError('cudaErrorStreamCaptureUnmatched', `stream "${stream.name}" did not begin a capture`));
    }
    this.captures.splice(this.captures.indexOf(capture), 1);
    for (const state of this.events.values()) if (state.captured?.capture === capture) state.captured = undefined;
    const unjoined = capture.unjoined();
    if (unjoined.length > 0) {
      const names = unjoined.map((s) => `"${this.streams[s]?.name}"`).join(', ');
      return this.fail(op, thread, call, cudaError('cudaErrorStreamCaptureUnjoined', `not joined into "${stream.name}": ${names}`));
    }
    this.graphs.set(call.graph, { name: call.graph, nodes: capture.nodes });
    return this.plain(op, thread, call, true);
  }

  private instantiate(op: number, thread: number, call: CallOf<'graphInstantiate' | 'graphExecUpdate'>): Issued {
    const graph = this.graphs.get(call.graph);
    if (graph === undefined) {
      return this.fail(op, thread, call, cudaError('cudaErrorInvalidValue', `graph "${call.graph}" has not been made`));
    }
    this.executables.set(call.executable, graph);
    return { ...this.plain(op, thread, call), cost: this.cost(thread, call, { nodes: graph.nodes.length }) };
  }

  private launchGraph(op: number, thread: number, call: CallOf<'graphLaunch' | 'graphUpload'>): Issued {
    const graph = this.executables.get(call.executable);
    if (graph === undefined) {
      return this.fail(op, thread, call, cudaError('cudaErrorInvalidValue', `graph "${call.executable}" has not been instantiated`));
    }
    const stream = this.stream(thread, call.stream);
    this.nextOp += graph.nodes.length;
    return { ...this.enqueue(op, thread, call, stream, (base) => ({ type: 'graph', graph, ...base }), { nodes: graph.nodes.length }), graph };
  }

  private setDevice(op: number, thread: number, call: CallOf<'setDevice'>): Issued {
    if (this.devices[call.device] === undefined) {
      return this.fail(op, thread, call, cudaError('cudaErrorInvalidDevice', `there are ${this.devices.length} devices`));
    }
    this.thread(thread).device = call.device;
    return this.plain(op, thread, call);
  }

  /** Work in a stream that may also be captured or blocking. */
  private streamWork(op: number, thread: number, call: Call, streamName: string, make: (base: Base) => Command, blocks = false): Issued {
    const stream = this.stream(thread, streamName);
    const capture = this.captureOf(stream.index);
    if (capture !== undefined) {
      const { op: _op, stream: _stream, after: _after, ...work } = make({ op, stream: stream.index, after: [] });
      capture.append(stream.index, this.nodeId(capture, work.type), stream.device, work as NodeWork, false);
      return this.plain(op, thread, call, true);
    }
    const issued = this.enqueue(op, thread, call, stream, make);
    return blocks ? { ...issued, block: { on: 'streams', until: [[stream.index, op]] } } : issued;
  }

  private enqueue(op: number, thread: number, call: Call, stream: RuntimeStream, make: (base: Base) => Command, context: Partial<CostInput> = {}): Issued {
    const after = this.legacy[stream.device]?.note(stream.index, op, stream.kind) ?? [];
    stream.last = op;
    this.thread(thread).devicesUsed.add(stream.device);
    const command = make({ op, stream: stream.index, after });
    return { op, cost: this.cost(thread, call, context), commands: [{ device: stream.device, command }], captured: false };
  }

  private blocked(op: number, thread: number, call: Call, until: readonly (readonly [number, number])[]): Issued {
    return { ...this.plain(op, thread, call), block: { on: 'streams', until: until.filter(([, o]) => o >= 0) } };
  }

  private devicePending(device: number): (readonly [number, number])[] {
    return this.streams.filter((s) => s.device === device && s.last >= 0).map((s) => [s.index, s.last] as const);
  }

  private plain(op: number, thread: number, call: Call, captured = false): Issued {
    return { op, cost: this.cost(thread, call, { captured }), commands: [], captured };
  }

  private fail(op: number, thread: number, call: Call, error: CudaError): Issued {
    return { ...this.plain(op, thread, call), error };
  }

  private cost(thread: number, call: Call, context: Partial<CostInput>): Picoseconds {
    return callCost(call, {
      times: this.times,
      captured: false,
      timing: false,
      otherDevice: false,
      severalDevices: this.thread(thread).devicesUsed.size > 1,
      fromSource: call.kind === 'memcpy' && call.sourceDevice === this.streams[this.streamIndex.get(call.stream) ?? -1]?.device,
      nodes: 0,
      grownBytes: 0,
      firstAllocation: false,
      ...context,
    });
  }

  /** What a node of a graph made by hand does. */
  private nodeWork(call: Call): { device: number; stream: number; work: NodeWork } {
    if (!('stream' in call)) return { device: 0, stream: -1, work: { type: 'empty' } };
    const stream = this.stream(0, call.stream);
    const at = { device: stream.device, stream: stream.index };
    if (call.kind === 'launchKernel') {
      return { ...at, work: this.kernelWork(call, stream, this.devices[stream.device] as DeviceRules) };
    }
    if (call.kind === 'memcpy') return { ...at, work: this.copyWork(call, stream, false) };
    if (call.kind === 'memset') return { ...at, work: { type: 'memset', bytes: call.bytes } };
    if (call.kind === 'launchHostFunc') return { ...at, work: { type: 'hostFunction', duration: call.duration } };
    return { ...at, work: { type: 'empty' } };
  }

  private nodeId(capture: Capture, name: string): string {
    return this.label ?? `${name}#${capture.nodes.length}`;
  }

  private captureOf(stream: number): Capture | undefined {
    return this.captures.find((c) => c.has(stream));
  }

  private event(name: string): EventState {
    const state = this.events.get(name);
    if (state === undefined) throw new Error(`unknown event "${name}"`);
    return state;
  }

  private thread(index: number): ThreadState {
    return this.threads[index] as ThreadState;
  }
}

interface Base {
  readonly op: number;
  readonly stream: number;
  readonly after: readonly Order[];
}
type CostInput = Omit<Parameters<typeof callCost>[1], 'times'>;
