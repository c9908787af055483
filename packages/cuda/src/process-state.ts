import type { ImplicitSynchronization } from '@griddep/machine';
import type { Call, CaptureMode, Event, Picoseconds, Program, Stream } from '@griddep/program';
import { type CostContext, callCost, type HostTimes } from './call-cost.ts';
import type { Capture } from './capture.ts';
import type { Command, Milestone, NodeEdge, NodeWork, Order } from './commands.ts';
import { LegacyOrder } from './default-streams.ts';
import type { CudaError } from './errors.ts';
import type { Block, BlockCause, Issued, RuntimeStream } from './issued.ts';
import type { DeviceRules } from './launch-rules.ts';

/** One call of a host thread being performed. `label` is the author's id of the operation, if any. */
export interface Invocation<C extends Call = Call> {
  readonly op: number;
  readonly thread: number;
  readonly call: C;
  readonly label: string | undefined;
}

export interface EventState {
  readonly event: Event;
  /** Operation that the newest record stands for, -1 if never recorded. */
  op: number;
  stream: number;
  /** The record is a node of a graph that was launched into the stream. */
  inGraph: boolean;
  milestone: Milestone;
  captured: { capture: Capture; edges: readonly NodeEdge[] } | undefined;
}

export interface ThreadState {
  readonly name: string;
  device: number;
  readonly devicesUsed: Set<number>;
  /** How captures restrict it: by their own mode at the most (rule 5.20). */
  captureMode: CaptureMode;
}

/** The part of a command that says who and after what. */
export interface Base {
  readonly op: number;
  readonly stream: number;
  readonly after: readonly Order[];
}

/** In the place of a stream: each graph's node that somebody outside can wait for tells of itself. */
export const OF_NODES = -1;

type CostInput = Partial<Omit<CostContext, 'times'>>;

/** Streams, events, threads and captures of one process, and what calls have in common. */
export class ProcessState {
  readonly program: Program;
  readonly devices: readonly DeviceRules[];
  readonly times: HostTimes;
  readonly implicitSynchronization: ImplicitSynchronization;
  readonly streams: RuntimeStream[] = [];
  readonly captures: Capture[] = [];
  readonly threads: readonly ThreadState[];
  readonly events = new Map<string, EventState>();
  /** Whether the host can see that a stream's work up to an operation is complete; all is unless somebody tells. */
  progress: (stream: number, op: number) => boolean = () => true;
  private readonly streamIndex = new Map<string, number>();
  private readonly legacy: readonly LegacyOrder[];
  /** Of the calls that no work of different streams overlaps across, where the host counts these so (rule 6.6). */
  private readonly barriers: readonly LegacyOrder[] | undefined;

  constructor(
    program: Program,
    devices: readonly DeviceRules[],
    times: HostTimes,
    implicitSynchronization: ImplicitSynchronization,
  ) {
    this.implicitSynchronization = implicitSynchronization;
    this.program = program;
    this.devices = devices;
    this.times = times;
    this.legacy = devices.map((_, device) => new LegacyOrder(device, 'legacyStream'));
    this.barriers =
      implicitSynchronization === 'listed'
        ? devices.map((_, device) => new LegacyOrder(device, 'implicitSync'))
        : undefined;
    this.threads = program.threads.map((t) => ({
      name: t.name,
      device: t.device,
      devicesUsed: new Set<number>(),
      captureMode: 'global',
    }));
    const all = [...program.streams.values()];
    for (const stream of all) if (stream.kind !== 'perThread') this.declareStream(stream);
    for (const stream of all) if (stream.kind === 'perThread') this.declareStream(stream);
    for (const event of program.events.values()) this.declareEvent(event);
  }

  /** A stream that is there from now on; a per-thread one becomes a stream for every thread. */
  declareStream(stream: Stream): void {
    const each = stream.kind === 'perThread' ? this.threads.map(({ name }) => `${stream.name}@${name}`) : [stream.name];
    for (const name of each) this.addStream(name, stream);
  }

  /** An event that is there from now on, never recorded. */
  declareEvent(event: Event): void {
    this.events.set(event.name, {
      event,
      op: -1,
      stream: -1,
      inGraph: false,
      milestone: 'complete',
      captured: undefined,
    });
  }

  /** A stream as a thread sees it. @throws Error if there is none of that name. */
  stream(thread: number, name: string): RuntimeStream {
    const index = this.streamIndex.get(name) ?? this.streamIndex.get(`${name}@${this.threads[thread]?.name}`);
    const stream = index === undefined ? undefined : this.streams[index];
    if (stream === undefined) throw new Error(`unknown stream "${name}"`);
    return stream;
  }

  /** @throws Error if there is none of that name. */
  event(name: string): EventState {
    const state = this.events.get(name);
    if (state === undefined) throw new Error(`unknown event "${name}"`);
    return state;
  }

  /** Whether an operation of a stream, -1 for none, is complete as far as the host can see. */
  isComplete(stream: number, op: number): boolean {
    return op < 0 || this.progress(stream, op);
  }

  /** State of a host thread, by its index in the program. */
  thread(index: number): ThreadState {
    return this.threads[index] as ThreadState;
  }

  /** The capture that a stream is in, if any. */
  captureOf(stream: RuntimeStream): Capture | undefined {
    return this.captures.find((c) => c.has(stream.index));
  }

  /** A call that makes no command: it costs its time, and waits for each (stream, operation) in `until`. */
  done(
    { op, thread, call }: Invocation,
    until?: readonly (readonly [stream: number, op: number])[],
    { cause, ...context }: CostInput & { readonly cause?: BlockCause } = {},
  ): Issued {
    const issued = { op, cost: this.cost(thread, call, context), commands: [], captured: false };
    return until === undefined ? issued : { ...issued, block: blockOn(until, cause) };
  }

  /** A call that went into a capture. */
  captured({ op, thread, call }: Invocation): Issued {
    return { op, cost: this.cost(thread, call, { captured: true }), commands: [], captured: true };
  }

  /** A call that returns an error and does nothing else; it costs its time. */
  fail(invocation: Invocation, error: CudaError): Issued {
    return { ...this.done(invocation), error };
  }

  /** Hands a command to the device of a stream, after the stream's work and what its kind implies. */
  enqueue(
    { op, thread, call }: Invocation,
    stream: RuntimeStream,
    make: (base: Base) => Command,
    context: CostInput = {},
    orders: readonly Order[] = [],
  ): Issued {
    const legacy = this.legacy[stream.device]?.note(stream.index, op, stream.kind) ?? [];
    const barriers =
      this.barriers?.[stream.device]?.note(stream.index, op, isListed(call) ? 'legacy' : 'blocking') ?? [];
    const after = barriers.length + orders.length === 0 ? legacy : [...legacy, ...barriers, ...orders];
    stream.last = op;
    this.thread(thread).devicesUsed.add(stream.device);
    const command = make({ op, stream: stream.index, after });
    const cost = this.cost(thread, call, context);
    return { op, cost, commands: [{ device: stream.device, command }], captured: false };
  }

  /**
   * Work of a stream: a node if the stream is capturing, otherwise a command, for which the call waits if it `blocks`,
   * or for the operations that this names, with a cause if it has one.
   */
  work(
    invocation: Invocation,
    stream: RuntimeStream,
    work: Exclude<NodeWork, { readonly type: 'empty' | 'record' | 'wait' }> | { readonly type: 'pool' },
    context: CostInput & {
      readonly blocks?: boolean | readonly (readonly [stream: number, op: number])[];
      readonly cause?: BlockCause | undefined;
      readonly after?: readonly Order[];
    } = {},
  ): Issued {
    const capture = this.captureOf(stream);
    if (capture !== undefined) {
      // The memory of a captured allocation is the graph's own, so its node takes no time of a pool.
      const node = work.type === 'pool' ? ({ type: 'empty', allocation: true } as const) : work;
      capture.append(stream.index, nodeId(invocation, capture, work.type), stream.device, node, false, invocation.op);
      return this.captured(invocation);
    }
    const { blocks = false, cause, after, ...cost } = context;
    const issued = this.enqueue(invocation, stream, (base) => ({ ...work, ...base }), cost, after);
    if (blocks === false) return issued;
    return { ...issued, block: blockOn(blocks === true ? [[stream.index, invocation.op]] : blocks, cause) };
  }

  /** Newest operation of every stream of a device that has any. */
  devicePending(device: number): (readonly [stream: number, op: number])[] {
    return this.streams.filter((s) => s.device === device && s.last >= 0).map((s) => [s.index, s.last] as const);
  }

  /** The same of several devices as implicit orders, but for a stream's own. */
  allPending(devices: readonly number[], except: number): Order[] {
    return this.streams
      .filter((s) => devices.includes(s.device) && s.last >= 0 && s.index !== except)
      .map((s) => ({ op: s.last, stream: s.index, device: s.device, cause: 'implicitSync' }));
  }

  private addStream(name: string, { device, kind, priority }: Stream): void {
    const index = this.streams.length;
    const clamped = this.devices[device]?.clampPriority(priority) ?? 0;
    this.streams.push({ index, name, device, kind, priority: clamped, last: -1 });
    this.streamIndex.set(name, index);
  }

  private cost(thread: number, call: Call, context: CostInput = {}): Picoseconds {
    const usual = {
      times: this.times,
      captured: false,
      timing: false,
      otherDevice: false,
      severalDevices: this.thread(thread).devicesUsed.size > 1,
      fromSource: false,
      within: false,
      stagedChunks: 0,
      programmatic: false,
      nodes: 0,
      grownBytes: 0,
      firstAllocation: false,
    };
    return callCost(call, Object.assign(usual, context));
  }
}

/** Stream whose progress tells of an event's record: that of a graph's node stands for itself. */
export function progressOf({ stream, inGraph }: EventState): number {
  return inGraph ? OF_NODES : stream;
}

/** Calls of the programming guide's list that make work of a stream (rule 6.6). */
function isListed(call: Call): boolean {
  return call.kind === 'memset' || (call.kind === 'memcpy' && call.copy === 'deviceToDevice');
}

function blockOn(until: readonly (readonly [stream: number, op: number])[], cause: BlockCause | undefined): Block {
  const awaited = until.filter(([, op]) => op >= 0);
  return { on: 'streams', until: awaited, ...(cause === undefined ? {} : { cause }) };
}

/** Id of a node: the author's label, or what it is and its place. */
export function nodeId({ label }: Invocation, capture: Capture, what: string): string {
  return label ?? `${what}#${capture.nodes.length}`;
}
