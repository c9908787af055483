import { awaitedBy, type Command, type CudaRuntime, type Issued, OF_NODES, type OperationNumbers } from '@griddep/cuda';
import type { Actor, Context } from '@griddep/engine';
import type { Kernel } from '@griddep/program';
import { flagsAwaitedByKernels } from '../awaited-flags.ts';
import type { Lifts } from '../lifts.ts';
import type { CommandMessage, FlagMessage, HostInbound, WatchMessage } from '../messages.ts';
import type { CallSource, IssuedCall } from './call-source.ts';
import { FinishedCalls } from './finished-calls.ts';
import type { HostRecord, HostResult, HostWait } from './host-record.ts';
import type { LiveCalls } from './live-calls.ts';
import { Recorder } from './recorder.ts';
import type { StreamProgress } from './stream-progress.ts';
import { ValueWatchers } from './value-watchers.ts';
import { type Condition, Waiters } from './waiters.ts';

const RETURN = 1;
const CHECK = 2;

/** Latencies of the host in ps. */
export interface HostSpec {
  readonly name: string;
  readonly runtime: CudaRuntime;
  readonly kernels: ReadonlyMap<string, Kernel>;
  /** Its threads, with their indices in the program. */
  readonly threads: readonly {
    readonly index: number;
    readonly name: string;
    readonly source: CallSource;
    readonly callGap: number;
  }[];
  /** Devices of this process, by index. */
  readonly devices: readonly number[];
  /** One for all processes whose actors share a runtime. */
  readonly progress: StreamProgress;
  /** Gives its operations their numbers. */
  readonly numbers: OperationNumbers;
  /** Actor of each device. */
  readonly deviceActors: readonly number[];
  /** Return of a call to the command being visible to a device, by device. */
  readonly commandArrival: readonly number[];
  readonly synchronizeReturn: number;
  readonly queueDepth: number;
  /** Flags that devices have to be told of. */
  readonly deviceFlags: ReadonlySet<string>;
  /** Where calls are made while it runs. */
  readonly live?: LiveCalls | undefined;
  readonly lifts?: Lifts | undefined;
}

interface Thread {
  readonly index: number;
  /** Its place among the threads of this process. */
  readonly position: number;
  readonly name: string;
  readonly source: CallSource;
  readonly callGap: number;
  /** What the current call waits for; undefined while the thread runs. */
  waiting: Condition | undefined;
  since: number;
  /** Time that the current call takes once what it waits for has happened. */
  afterwards: number;
  /** The operation that ended the current wait, or -1. */
  wokenBy: number;
  /** Time since the last call returned. */
  gap: number;
  record: HostRecord | undefined;
  /** The call that a full queue holds up. */
  stalled: IssuedCall | undefined;
  /** Calls taken from its source. */
  made: number;
  finished: boolean;
}

/**
 * The host process: its threads share one CUDA runtime and resume one at a time, in order of virtual time. Devices
 * write their streams' progress into host memory, and a waiting thread sees it there; so nothing needs to be asked.
 */
export class HostActor implements Actor<HostInbound> {
  readonly name: string;
  private readonly recorder: Recorder;
  private readonly spec: HostSpec;
  private readonly threads: Thread[];
  private readonly waiters = new Waiters<Thread>();
  /** By stream, how many commands are pending. */
  private readonly pending: number[] = [];
  private readonly valueWatchers = new ValueWatchers();
  private readonly flags = new Map<string, number>();
  /** By stream, when its newest command arrives at its device. */
  private readonly arrivals: number[] = [];
  /** Time at which the last thread came to its end. */
  private end = 0;
  /** Flags that devices have to be told of. */
  private readonly deviceFlags: Set<string>;
  private readonly finished = new FinishedCalls();

  constructor(spec: HostSpec) {
    this.name = spec.name;
    this.spec = spec;
    this.deviceFlags = new Set(spec.deviceFlags);
    this.recorder = new Recorder(spec.kernels);
    this.threads = spec.threads.map((t, position) => ({
      ...t,
      position,
      waiting: undefined,
      since: 0,
      afterwards: 0,
      wokenBy: -1,
      gap: 0,
      record: undefined,
      stalled: undefined,
      made: 0,
      finished: false,
    }));
  }

  /** Every thread makes its first call at time 0. */
  start(context: Context): void {
    for (const at of this.threads.keys()) context.timer(context.now, 1, RETURN, at);
  }

  /** A stream has come further, or a device has signalled a flag. */
  receive(message: HostInbound, _source: number, context: Context): void {
    if (message.type === 'progress') {
      this.spec.progress.note(message.stream, message.op);
      if (message.stream !== OF_NODES) this.pending[message.stream] = (this.pending[message.stream] ?? 0) - 1;
      const stamps = this.spec.live?.stamps;
      if (stamps?.has(message.op)) stamps.set(message.op, context.now);
      this.lookAgain(this.waiters.ofStream(message.stream), context, message.stream);
    } else this.raise(message.flag, message.value, context);
  }

  /** A thread's call returns, or what it waits for may have happened. */
  timer(code: number, argument: number, context: Context): void {
    const thread = this.threads[argument] as Thread;
    if (code === RETURN) this.run(thread, context);
    else this.wake(thread, context);
  }

  /** Records of calls that have returned and have not been given before, in order of the calls. */
  interim(before: number): HostRecord[] | undefined {
    const isLast = before === Number.POSITIVE_INFINITY;
    const waiting = this.threads.filter((thread) => thread.waiting !== undefined).map(({ record }) => record);
    return this.finished.take(
      this.recorder.records,
      new Set(isLast ? [] : waiting.filter((record) => record !== undefined)),
    );
  }

  /** What it has recorded so far. */
  result(): HostResult {
    const { records, errors } = this.recorder;
    return { records, errors, end: this.end, unfinished: this.unfinished() };
  }

  private unfinished(): HostResult['unfinished'] {
    return this.threads
      .filter((t) => !t.finished)
      .map((t) => ({
        thread: t.index,
        name: t.name,
        made: t.made,
        call: t.waiting?.on === 'depth' ? 'a full queue' : t.record === undefined ? 'its first call' : undefined,
        op: t.waiting?.on === 'streams' ? (this.missing(t.waiting)?.[1] ?? -1) : -1,
        at: t.record?.op ?? -1,
        ...(t.waiting?.on === 'depth' ? { fullStream: this.spec.runtime.streams[t.waiting.stream]?.name ?? '' } : {}),
        ...(t.waiting?.on === 'flag' ? { flag: { name: t.waiting.flag, value: t.waiting.value } } : {}),
      }));
  }

  /** The stream and operation that a condition still waits for. */
  private missing(condition: Condition): readonly [number, number] | undefined {
    return condition.on === 'streams'
      ? condition.until.find(([stream, op]) => !this.spec.progress.has(stream, op))
      : undefined;
  }

  private holds(condition: Condition): boolean {
    if (condition.on === 'flag') return (this.flags.get(condition.flag) ?? 0) >= condition.value;
    if (condition.on === 'depth') return (this.pending[condition.stream] ?? 0) < this.spec.queueDepth;
    return this.missing(condition) === undefined;
  }

  private wake(thread: Thread, context: Context): void {
    const { waiting, record } = thread;
    if (waiting === undefined || !this.holds(waiting)) return;
    thread.waiting = undefined;
    this.waiters.remove(thread, waiting);
    if (waiting.on === 'depth') {
      const stalledSince = thread.since;
      this.issue(thread, thread.stalled, context);
      // The call went on in this instant; what it recorded had been waiting for room.
      if (thread.record !== undefined && thread.record.callBegin === context.now) {
        const full = { op: -1, from: stalledSince, until: context.now, kind: 'queueFull' } as const;
        thread.record.waitedFor = [full, ...(thread.record.waitedFor ?? [])];
      }
      return;
    }
    // What the call waits for can happen while it is still at its own work.
    const back = Math.max(context.now + this.spec.synchronizeReturn, thread.since) + thread.afterwards;
    if (record !== undefined) record.callEnd = back;
    if (record !== undefined && context.now > thread.since) {
      const kind = waiting.on === 'flag' ? 'flag' : (waiting.cause ?? 'synchronize');
      const wait: HostWait = { op: thread.wokenBy, from: thread.since, until: context.now, kind };
      record.waitedFor = [...(record.waitedFor ?? []), wait];
    }
    thread.gap = thread.callGap;
    context.timer(back + thread.gap, 1, RETURN, thread.position);
  }

  private run(thread: Thread, context: Context): void {
    const next = thread.source.next(context.now);
    if (next instanceof Promise) context.suspend(next);
    else {
      thread.made++;
      this.issue(thread, next, context);
    }
  }

  /** Tells the devices what has been created meanwhile, before anything that uses it. */
  private declare(live: LiveCalls, context: Context): void {
    const message = live.declared();
    if (message === undefined) return;
    const { deviceActors, commandArrival, devices } = this.spec;
    this.recorder.declare(message.kernels);
    for (const flag of flagsAwaitedByKernels(message.kernels)) this.deviceFlags.add(flag);
    for (const device of devices) {
      context.send(deviceActors[device] as number, commandArrival[device] as number, message);
    }
  }

  private issue(thread: Thread, next: IssuedCall | undefined, context: Context): void {
    const { now } = context;
    if (next === undefined) {
      thread.finished = true;
      this.end = Math.max(this.end, now - thread.gap);
      return;
    }
    const { call, refused } = next;
    const { live, numbers } = this.spec;
    if (live !== undefined) this.declare(live, context);
    const stream =
      refused === undefined && 'stream' in call ? this.spec.runtime.stream(thread.index, call.stream) : undefined;
    const { lifts } = this.spec;
    const lifted = lifts?.ofNext(thread.name);
    const full = stream !== undefined && (this.pending[stream.index] ?? 0) >= this.spec.queueDepth;
    if (full && !lifted?.has('queueFull')) {
      thread.stalled = next;
      this.wait(thread, { on: 'depth', stream: stream.index }, now);
      return;
    }
    const isFree = lifts?.isFree(thread.name) === true;
    const made =
      refused === undefined
        ? this.spec.runtime.issue(thread.index, call, next.label, numbers)
        : this.spec.runtime.refuse(thread.index, call, refused, numbers);
    const issued = isFree ? { ...made, cost: 0, handedOver: 0, afterwards: 0 } : made;
    next.answered?.(issued);
    const afterwards = issued.afterwards ?? 0;
    const blocks = issued.block !== undefined && !lifted?.has('synchronize') && !this.holds(issued.block);
    const returns = now + issued.cost + (blocks ? 0 : afterwards);
    const caller = { thread: thread.name, stream: stream?.name };
    const { records } = this.recorder;
    const recorded = records.length;
    thread.record = this.recorder.record(next, issued, caller, now, returns);
    if (lifts !== undefined) for (const { op } of records.slice(recorded)) lifts.note(thread.name, op);
    if (thread.record !== undefined && issued.growth !== undefined) {
      const until = now + issued.cost;
      const growing = {
        kind: 'implicitSync',
        op: -1,
        from: until - issued.growth,
        until,
        detail: 'pool growth',
      } as const;
      thread.record.waitedFor = [growing];
    }
    for (const { device, command } of issued.commands) this.send(device, command, issued, context);
    if (call.kind === 'hostSignal' && refused === undefined) this.signal(call.flag, call.value, context);
    if (issued.block === undefined || !blocks) {
      // Measured, the time between two calls is the same with a change of device in it (random programs of 2 and 4 GPUs).
      thread.gap = call.kind === 'setDevice' || isFree ? 0 : thread.callGap;
      context.timer(returns + thread.gap, 1, RETURN, thread.position);
      return;
    }
    thread.afterwards = afterwards;
    this.wait(thread, issued.block, returns);
  }

  private wait(thread: Thread, condition: Condition, since: number): void {
    thread.since = since;
    thread.wokenBy = -1;
    thread.waiting = condition;
    this.waiters.add(thread, condition);
  }

  /**
   * Hands a command to a device, and tells the devices of what it waits for elsewhere. Threads may overtake each other,
   * but not within a stream, nor where one waits for what another enqueued.
   */
  private send(device: number, command: Command, issued: Issued, context: Context): void {
    const { deviceActors, commandArrival } = this.spec;
    const handedOver = context.now + (issued.handedOver ?? issued.cost);
    const awaited = awaitedBy(command);
    const streams = [command.stream, ...awaited.map(({ stream }) => stream)];
    const notBefore = Math.max(0, ...streams.map((stream) => this.arrivals[stream] ?? 0));
    const delayTo = (to: number): number =>
      Math.max(handedOver + (commandArrival[to] as number), notBefore) - context.now;
    this.pending[command.stream] = (this.pending[command.stream] ?? 0) + 1;
    this.arrivals[command.stream] = context.now + delayTo(device);
    if (command.type === 'record' && command.timing) this.spec.live?.stamps.set(command.op, Number.NaN);
    const message: CommandMessage = { type: 'command', command };
    context.send(deviceActors[device] as number, delayTo(device), message);
    for (const { op, milestone, device: other, waiter: watcher = device } of awaited) {
      if (other === watcher) continue;
      const watch: WatchMessage = { type: 'watch', op, milestone, watcher };
      context.send(deviceActors[other] as number, delayTo(other), watch);
    }
    for (const { flag, watcher } of this.valueWatchers.add(device, command)) {
      this.tellFlag(watcher, flag, this.flags.get(flag) ?? 0, context);
    }
  }

  /** Threads whose condition holds now, because of a stream or a flag, go on. */
  private lookAgain(threads: readonly Thread[], context: Context, stream = -1): void {
    for (const thread of threads) {
      const { waiting } = thread;
      if (waiting === undefined || !this.holds(waiting)) continue;
      const ended = waiting.on === 'streams' ? waiting.until.find(([of]) => of === stream) : undefined;
      if (ended !== undefined) thread.wokenBy = ended[1];
      context.timer(context.now, 1, CHECK, thread.position);
    }
  }

  private raise(flag: string, value: number, context: Context): void {
    this.flags.set(flag, Math.max(value, this.flags.get(flag) ?? 0));
    for (const device of this.valueWatchers.of(flag)) this.tellFlag(device, flag, value, context);
    this.lookAgain(this.waiters.ofFlag(flag), context);
  }

  private signal(flag: string, value: number, context: Context): void {
    this.raise(flag, value, context);
    if (!this.deviceFlags.has(flag)) return;
    for (const device of this.spec.devices) this.tellFlag(device, flag, value, context);
  }

  private tellFlag(device: number, flag: string, value: number, context: Context): void {
    const message: FlagMessage = { type: 'flag', flag, value };
    context.send(this.spec.deviceActors[device] as number, this.spec.commandArrival[device] as number, message);
  }
}
