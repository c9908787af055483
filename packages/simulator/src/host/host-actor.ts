import type { CudaError, CudaRuntime, Issued } from '@griddep/cuda';
import type { Actor, Context } from '@griddep/engine';
import { type Kernel, volume } from '@griddep/program';
import type { CommandMessage, FlagMessage, HostInbound } from '../messages.ts';
import type { CallSource } from './call-source.ts';
import { describeCall, type HostRecord } from './host-record.ts';

const RETURN = 1;
const CHECK = 2;

/** Latencies of the host in ps. */
export interface HostSpec {
  readonly name: string;
  readonly runtime: CudaRuntime;
  readonly kernels: ReadonlyMap<string, Kernel>;
  readonly threads: readonly { readonly name: string; readonly source: CallSource; readonly callGap: number }[];
  /** Actor of each device. */
  readonly deviceActors: readonly number[];
  /** Return of a call to the command being visible to a device, by device. */
  readonly commandArrival: readonly number[];
  readonly synchronizeReturn: number;
  readonly queueDepth: number;
}

type Condition =
  | { readonly on: 'streams'; readonly until: readonly (readonly [stream: number, op: number])[] }
  | { readonly on: 'flag'; readonly flag: string; readonly value: number }
  | { readonly on: 'depth'; readonly stream: number };

interface Thread {
  readonly index: number;
  readonly name: string;
  readonly source: CallSource;
  readonly callGap: number;
  /** What the current call waits for; undefined while the thread runs. */
  waiting: Condition | undefined;
  since: number;
  record: HostRecord | undefined;
  /** The call that a full queue holds up. */
  stalled: ReturnType<CallSource['next']>;
  finished: boolean;
}

/**
 * The host process: its threads share one CUDA runtime and resume one at a time, in order of virtual time. Devices
 * write their streams' progress into host memory, and a waiting thread sees it there; so nothing needs to be asked.
 */
export class HostActor implements Actor<HostInbound> {
  readonly name: string;
  readonly records: HostRecord[] = [];
  readonly errors: { readonly op: number; readonly error: CudaError }[] = [];
  private readonly spec: HostSpec;
  private readonly threads: Thread[];
  /** Newest complete operation by stream, and how many commands are pending. */
  private readonly progress: number[] = [];
  private readonly pending: number[] = [];
  private readonly flags = new Map<string, number>();
  private readonly ids = new Map<string, number>();
  /** Time at which the last thread came to its end. */
  end = 0;

  constructor(spec: HostSpec) {
    this.name = spec.name;
    this.spec = spec;
    this.threads = spec.threads.map((t, index) => ({
      ...t,
      index,
      waiting: undefined,
      since: 0,
      record: undefined,
      stalled: undefined,
      finished: false,
    }));
  }

  start(context: Context): void {
    for (const thread of this.threads) context.timer(context.now, 1, RETURN, thread.index);
  }

  receive(message: HostInbound, _source: number, context: Context): void {
    if (message.type === 'progress') {
      this.progress[message.stream] = message.op;
      this.pending[message.stream] = (this.pending[message.stream] ?? 0) - 1;
    } else this.flags.set(message.flag, Math.max(message.value, this.flags.get(message.flag) ?? 0));
    for (const thread of this.threads) {
      if (thread.waiting !== undefined && this.holds(thread.waiting))
        context.timer(context.now, 1, CHECK, thread.index);
    }
  }

  timer(code: number, argument: number, context: Context): void {
    const thread = this.threads[argument] as Thread;
    if (code === RETURN) this.run(thread, context);
    else this.wake(thread, context);
  }

  /** Threads that have not come to their end, with what they wait for. */
  unfinished(): { thread: string; call: string; op: number }[] {
    return this.threads
      .filter((t) => !t.finished)
      .map((t) => ({
        thread: t.name,
        call: t.waiting?.on === 'depth' ? 'a full queue' : (t.record?.id ?? 'its first call'),
        op: t.waiting?.on === 'streams' ? (this.missing(t.waiting)?.[1] ?? -1) : -1,
      }));
  }

  private missing(condition: Condition): readonly [number, number] | undefined {
    return condition.on === 'streams'
      ? condition.until.find(([stream, op]) => (this.progress[stream] ?? -1) < op)
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
    if (waiting.on === 'depth') {
      const stalledSince = thread.since;
      this.issue(thread, thread.stalled, context);
      // The call went on in this instant; what it recorded had been waiting for room.
      if (thread.record !== undefined && thread.record.callBegin === context.now) {
        thread.record.waitedFor = { op: -1, from: stalledSince, until: context.now, kind: 'queueFull' };
      }
      return;
    }
    const back = context.now + this.spec.synchronizeReturn;
    if (record !== undefined) {
      record.callEnd = back;
      const op = waiting.on === 'streams' ? Math.max(-1, ...waiting.until.map(([, o]) => o)) : -1;
      record.waitedFor = {
        op,
        from: thread.since,
        until: context.now,
        kind: waiting.on === 'flag' ? 'flag' : 'synchronize',
      };
    }
    context.timer(back + thread.callGap, 1, RETURN, thread.index);
  }

  private run(thread: Thread, context: Context): void {
    this.issue(thread, thread.source.next(), context);
  }

  private issue(thread: Thread, next: ReturnType<CallSource['next']>, context: Context): void {
    const { now } = context;
    if (next === undefined) {
      thread.finished = true;
      this.end = Math.max(this.end, now - (this.records.length > 0 ? thread.callGap : 0));
      return;
    }
    const { call } = next;
    const stream = 'stream' in call ? this.spec.runtime.stream(thread.index, call.stream) : undefined;
    if (stream !== undefined && (this.pending[stream.index] ?? 0) >= this.spec.queueDepth) {
      thread.stalled = next;
      thread.since = now;
      thread.waiting = { on: 'depth', stream: stream.index };
      return;
    }
    const issued = this.spec.runtime.issue(thread.index, call, next.label);
    const returns = now + issued.cost;
    this.record(thread, next, issued, now, returns);
    for (const { device, command } of issued.commands) {
      this.pending[command.stream] = (this.pending[command.stream] ?? 0) + 1;
      const message: CommandMessage = { type: 'command', command };
      context.send(
        this.spec.deviceActors[device] as number,
        issued.cost + (this.spec.commandArrival[device] as number),
        message,
      );
    }
    if (call.kind === 'hostSignal') this.signal(call.flag, call.value, context);
    if (issued.block === undefined || this.holds(issued.block)) {
      context.timer(returns + thread.callGap, 1, RETURN, thread.index);
      return;
    }
    thread.waiting = issued.block;
    thread.since = returns;
  }

  private signal(flag: string, value: number, context: Context): void {
    this.flags.set(flag, Math.max(value, this.flags.get(flag) ?? 0));
    const message: FlagMessage = { type: 'flag', flag, value };
    this.spec.deviceActors.forEach((actor, device) => {
      context.send(actor, this.spec.commandArrival[device] as number, message);
    });
  }

  private record(
    thread: Thread,
    next: NonNullable<ReturnType<CallSource['next']>>,
    issued: Issued,
    begin: number,
    end: number,
  ): void {
    const { call } = next;
    if (issued.error !== undefined) this.errors.push({ op: issued.op, error: issued.error });
    const described = issued.captured ? undefined : describeCall(call);
    thread.record = undefined;
    if (described === undefined && issued.error === undefined) return;
    const { kind, name } =
      issued.error === undefined && described !== undefined
        ? described
        : { kind: 'hostCall' as const, name: call.kind };
    const command = issued.commands[0];
    const stream = 'stream' in call ? this.spec.runtime.stream(thread.index, call.stream) : undefined;
    const record: HostRecord = {
      op: issued.op,
      id: this.uniqueId(next.label ?? name, next.label === undefined),
      kind,
      name,
      device: kind === 'hostCall' ? -1 : (command?.device ?? -1),
      stream: kind === 'hostCall' ? thread.name : (stream?.name ?? thread.name),
      thread: thread.name,
      path: next.path,
      origin: next.origin,
      callBegin: begin,
      callEnd: end,
      bytes: 'bytes' in call ? call.bytes : 0,
      blocks: call.kind === 'launchKernel' ? this.blocks(call.kernel) : 0,
      waitedFor: undefined,
    };
    thread.record = record;
    this.records.push(record);
    if (issued.graph !== undefined && call.kind === 'graphLaunch') this.recordNodes(record, issued);
  }

  /** Nodes of a launched graph are operations of their own, named after the launch. */
  private recordNodes(launch: HostRecord, issued: Issued): void {
    issued.graph?.nodes.forEach((node, i) => {
      const { work } = node;
      const kind = work.type === 'empty' ? 'eventRecord' : work.type;
      const name = work.type === 'kernel' ? this.kernelName(work.kernel) : work.type === 'copy' ? work.copy : work.type;
      this.records.push({
        ...launch,
        op: issued.op + 1 + i,
        id: `${launch.id}/${node.id}`,
        kind,
        name,
        device: node.device,
        bytes: 'bytes' in work ? work.bytes : 0,
        blocks: work.type === 'kernel' ? this.blocks(name) : 0,
      });
    });
  }

  private readonly kernelNames: string[] = [];
  private kernelName(index: number): string {
    if (this.kernelNames.length === 0) this.kernelNames.push(...this.spec.kernels.keys());
    return this.kernelNames[index] as string;
  }

  private blocks(kernel: string): number {
    const grid = this.spec.kernels.get(kernel)?.grid;
    return grid === undefined ? 0 : volume(grid);
  }

  /** The author's label as it is the first time; names are numbered in order of their calls. */
  private uniqueId(name: string, numbered: boolean): string {
    const n = this.ids.get(name) ?? 0;
    this.ids.set(name, n + 1);
    return numbered || n > 0 ? `${name}#${n}` : name;
  }
}
