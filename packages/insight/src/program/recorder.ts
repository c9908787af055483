import { type Command, type CudaError, CudaRuntime, deviceRules, type Issued, rendezvousOf } from '@griddep/cuda';
import { type Machine, nodeOf, resolveTiming } from '@griddep/machine';
import type { Call, CallOf, Kernel, Program } from '@griddep/program';
import { callCode, hostReadsSource } from './call-code.ts';
import { EventRecords } from './event-records.ts';
import { wholeAccess } from './extent.ts';
import { GraphLaunches } from './graph-launches.ts';
import { FlagSignals } from './host-flags.ts';
import { afterMeeting, KernelCodes } from './kernel-code.ts';
import { atEnd, inHardware, NO_NEEDS, NodeList } from './node-list.ts';
import { kindOfWork, type Need, type NodeKind, type Site } from './nodes.ts';
import { OtherLaunches } from './other-launches.ts';
import type { CallError, Recorded } from './recorded.ts';
import { type Code, plainCode, type Step } from './steps.ts';
import { ThreadView } from './threads.ts';
import type { Snapshot, StreamView } from './views.ts';

/** Calls in which every thread has come as far as the others let it, without time. */
export class Recorder {
  private readonly program: Program;
  private readonly machine: Machine;
  private readonly runtime: CudaRuntime;
  private readonly list = new NodeList();
  private readonly codes: KernelCodes;
  private readonly flags: FlagSignals;
  private readonly graphs: GraphLaunches;
  private readonly others: OtherLaunches;
  private readonly threads: readonly ThreadView[];
  private readonly kernels: readonly Kernel[];
  private readonly errors: CallError[] = [];
  private readonly events = new EventRecords();
  private readonly snapshots = new Map<string, Snapshot>();
  private readonly raised = new Map<string, number>();
  private readonly callCodes = new Map<Call, Code>();
  /** By memory, where stream-ordered frees have given it back. */
  private readonly freed = new Map<string, readonly Need[]>();
  private version = 0;
  /** The first failure of a kernel. */
  private failure: CudaError | undefined;
  private isFailureSeen = false;

  constructor(program: Program, machine: Machine) {
    const { devices, topology, host } = machine;
    const rules = devices.map((d, i) => deviceRules(d, host.cudaVersion, nodeOf(topology, i)));
    this.program = program;
    this.machine = machine;
    this.runtime = new CudaRuntime(program, rules, resolveTiming(host.timing, 'host'));
    // The program goes on as if nobody saw that a kernel has failed: what comes behind is judged too.
    this.runtime.watch(() => this.isFailureSeen);
    this.codes = new KernelCodes(program);
    this.kernels = [...program.kernels.values()];
    this.flags = new FlagSignals(program);
    this.others = new OtherLaunches(program, this.runtime, this.codes, this.flags);
    this.threads = program.threads.map((_, i) => new ThreadView(i, program.threads.length));
    this.graphs = new GraphLaunches(this.list, this.codes, this.kernels, (call) => this.codeOf(call));
  }

  record(): Recorded {
    const { threads, program } = this;
    const next = threads.map(() => 0);
    let moved = true;
    while (moved) {
      moved = false;
      for (const thread of threads) {
        const { calls } = program.threads[thread.index] as Program['threads'][number];
        while ((next[thread.index] as number) < calls.length) {
          const i = next[thread.index] as number;
          const call = calls.at(i);
          if (call.kind === 'hostAwait' && !this.mayGoOn(call)) break;
          this.call(thread, i, call, calls.label(i));
          next[thread.index] = i + 1;
          thread.heard[thread.index] = i + 1;
          moved = true;
        }
      }
    }
    const stuck = threads.flatMap(({ index }) => {
      const { calls } = program.threads[index] as Program['threads'][number];
      const at = next[index] as number;
      const call = at < calls.length ? calls.at(at) : undefined;
      return call?.kind === 'hostAwait' ? [{ site: { thread: index, call: at }, flag: call.flag }] : [];
    });
    const { errors, events, machine, list, runtime } = this;
    const streamNames = runtime.streams.map(({ name }) => name);
    const timelines = runtime.streams.length + threads.length;
    return { program, machine, nodes: list.nodes, errors, openRecords: events.open, stuck, timelines, streamNames };
  }

  private mayGoOn({ flag, value }: CallOf<'hostAwait'>): boolean {
    return (this.raised.get(flag) ?? -1) >= value || this.flags.isRaisedByDevices(flag, value);
  }

  private call(thread: ThreadView, index: number, call: Call, label: string | undefined): void {
    const site: Site = { thread: thread.index, call: index };
    const issued = this.runtime.issue(thread.index, call, label);
    this.noteFailure(site, issued);
    // What a call returns that a kernel's failure has reached before does not undo what it orders.
    if (issued.error !== undefined && issued.error.code !== this.failure?.code) {
      // What a query answers depends on time.
      if (issued.error.name !== 'cudaErrorNotReady') this.errors.push({ site, ...issued.error, isLater: false });
      return;
    }
    if (issued.captured) {
      this.graphs.captured(issued.op, site, call);
      return;
    }
    const done = issued.commands.map(({ device, command }) => this.command(thread, site, call, device, command));
    this.onHost(thread, site, call, issued, done);
  }

  /** Errors of what a call enqueued, which later calls return (rules 5.12, 6.10). */
  private noteFailure(site: Site, { laterErrors = [] }: Issued): void {
    for (const { error } of laterErrors) this.errors.push({ site, ...error, isLater: true });
    if (this.failure !== undefined) return;
    this.isFailureSeen = true;
    this.failure = this.runtime.failure;
    this.isFailureSeen = false;
    if (this.failure !== undefined) this.errors.push({ site, ...this.failure, isLater: true });
  }

  /** What a call does in a stream; the need of its end, if it is work. */
  private command(thread: ThreadView, site: Site, call: Call, device: number, command: Command): Need | undefined {
    const { stream } = command;
    const view = thread.stream(stream);
    const orders = this.orders(thread, command);
    if (command.type === 'record') {
      const needs = this.list.joined([...view.ends, ...orders], site);
      this.events.record(thread, site, (call as CallOf<'eventRecord'>).event, stream, { needs, pending: [] });
      const isTimed = view.isTimed || command.timing;
      this.setStream(thread, stream, { ...view, ends: needs, isTimed, gate: [...view.gate, ...orders] });
      return undefined;
    }
    if (command.type === 'wait') {
      const record = this.events.awaited(thread, site, (call as CallOf<'streamWaitEvent'>).event);
      const ends = this.list.joined([...view.ends, ...orders, ...(record?.needs ?? [])], site);
      const pending = [...view.pending, ...(record?.pending ?? [])];
      this.setStream(thread, stream, { ...view, ends, direct: undefined, isTimed: false, gate: [], pending });
      return undefined;
    }
    const before = [...thread.host, ...orders, ...view.gate];
    if (command.type === 'graph') {
      const { executable } = call as CallOf<'graphLaunch'>;
      const begin = this.list.joined([...before, ...view.ends, ...this.graphs.before(executable, thread)], site);
      const { events } = this;
      const end = this.graphs.launch(executable, command.graph, {
        ...{ begin, site, timeline: stream, isShared: this.threads.length > 1 },
        events: {
          awaited: (event) => events.awaited(thread, site, event)?.needs ?? [],
          record: (event, needs) => events.record(thread, site, event, stream, { needs, pending: [] }),
        },
      });
      this.setStream(thread, stream, {
        ...view,
        ends: [end],
        direct: undefined,
        isTimed: false,
        gate: [],
        pending: [],
      });
      return end;
    }
    const kernel = command.type === 'kernel' ? this.kernels[command.kernel] : undefined;
    const early = command.type === 'kernel' && command.programmatic ? view.direct : undefined;
    const primary = typeof early === 'number' ? early : undefined;
    const isOpen = primary !== undefined && this.others.mayComeBetween(thread.index, site.call, stream);
    const covered = primary === undefined || isOpen ? NO_NEEDS : [atEnd(primary)];
    const begin = [
      ...before,
      ...(early === undefined ? view.ends : []),
      ...(view.isTimed ? inHardware(view.ends) : []),
    ];
    if (primary !== undefined) begin.push({ node: primary, at: 'trigger' });
    const wait = kernel === undefined ? [] : [...covered, ...view.pending];
    const allocation = this.allocated(call);
    const id = this.list.add({
      ...{ kind: kindOf(command), site, begin: [...begin, ...allocation], wait, timeline: stream, device, call },
      code: this.codeOfCommand(call, command, kernel),
      ...(kernel === undefined ? {} : { kernel }),
      triggerAtStart: command.type === 'kernel' && command.triggerAtStart,
      cooperative: command.type === 'kernel' && command.cooperative,
    });
    const end = atEnd(id);
    const ends = early === undefined ? [end] : this.list.joined([...view.ends, end], site);
    const direct = command.type === 'kernel' ? id : undefined;
    this.setStream(thread, stream, { ...view, ends, direct, isTimed: false, gate: [], pending: [] });
    if (call.kind === 'launchKernel') this.events.ofLaunch(thread, site, call, stream, id);
    if (call.kind === 'freeAsync') this.freed.set(this.memory(call.buffer), [end]);
    return end;
  }

  /** Implicit orders (rules 4.9, 5.1, 5.2, 6.8), as far as the thread knows of what they are after. */
  private orders(thread: ThreadView, command: Command): Need[] {
    return command.after.flatMap(({ stream, cause }) => {
      // The launches before of a graph are known by host thread.
      return command.type === 'graph' && cause === 'implicitSync' ? [] : thread.stream(stream).ends;
    });
  }

  /** The host's part of a call: what it waits for, what it touches, whom it tells. */
  private onHost(
    thread: ThreadView,
    site: Site,
    call: Call,
    issued: Issued,
    done: readonly (Need | undefined)[],
  ): void {
    const steps: Step[] = [];
    const begin: Need[] = [];
    if (issued.block?.on === 'streams') begin.push(...this.hostWaitsFor(thread, site, call, issued.block.until, done));
    switch (call.kind) {
      case 'hostSignal':
      case 'hostAwait':
        steps.push({ do: call.kind === 'hostSignal' ? 'signal' : 'await', flag: call.flag, value: call.value });
        break;
      case 'hostRead':
      case 'hostWrite':
        steps.push(...this.codeOf(call).roles.flatMap((role) => role.steps));
        break;
      case 'free':
      case 'freeHost':
        steps.push({ do: 'access', access: wholeAccess(this.program, call.buffer, 'free') });
        break;
      case 'malloc':
      case 'mallocHost':
        steps.push({ do: 'access', access: wholeAccess(this.program, call.buffer, 'allocate') });
        break;
      case 'memcpy':
        if (call.copy === 'hostToHost') steps.push(...this.codeOf(call).roles.flatMap((role) => role.steps));
        else if (hostReadsSource(call)) steps.push(...callCode(this.program, call, 'host'));
        break;
      default:
    }
    if (begin.length > 0 || steps.length > 0) this.hostNode(thread, site, call, begin, steps);
    if (call.kind === 'hostSignal') {
      this.raised.set(call.flag, Math.max(call.value, this.raised.get(call.flag) ?? 0));
      this.snapshots.set(`${site.thread} ${site.call}`, thread.snapshot());
    }
    if (call.kind === 'hostAwait') {
      const signal = this.flags.certain(call.flag, call.value);
      const snapshot = signal === undefined ? undefined : this.snapshots.get(`${signal.thread} ${signal.call}`);
      if (snapshot === undefined || signal === undefined) return;
      thread.learn(snapshot, this.list, site);
      thread.heard[signal.thread] = Math.max(signal.call + 1, thread.heard[signal.thread] ?? 0);
    }
  }

  private hostNode(thread: ThreadView, site: Site, call: Call, begin: readonly Need[], steps: readonly Step[]): void {
    const timeline = this.runtime.streams.length + thread.index;
    const code = plainCode(steps);
    const id = this.list.add({ kind: 'host', site, begin: [...thread.host, ...begin], code, timeline, call });
    thread.host = [atEnd(id)];
  }

  /** What a synchronising call is known to wait for. */
  private hostWaitsFor(
    thread: ThreadView,
    site: Site,
    call: Call,
    until: readonly (readonly [stream: number, op: number])[],
    done: readonly (Need | undefined)[],
  ): Need[] {
    if (call.kind === 'eventSynchronize') return [...(this.events.awaited(thread, site, call.event)?.needs ?? [])];
    const own = done.filter((need) => need !== undefined);
    const needs = own.length > 0 ? own : until.flatMap(([stream]) => thread.stream(stream).ends);
    // The contract only says that these may synchronise (rules 6.1, 6.6, 6.7).
    const isOnlySeen = ALLOCATES.has(call.kind) || (call.kind === 'memcpy' && hostReadsSource(call));
    return isOnlySeen ? inHardware(needs) : needs;
  }

  private setStream(thread: ThreadView, stream: number, view: Omit<StreamView, 'version' | 'parent'>): void {
    const isShared = this.threads.length > 1;
    const parent = isShared ? thread.stream(stream) : undefined;
    thread.setStream(stream, { ...view, version: ++this.version, parent });
  }

  private codeOfCommand(call: Call, command: Command, kernel: Kernel | undefined): Code {
    const meeting = rendezvousOf(command);
    const code =
      kernel !== undefined && command.type === 'kernel' ? this.codes.of(kernel, command.args) : this.codeOf(call);
    return meeting === undefined ? code : afterMeeting(code, meeting);
  }

  private codeOf(call: Call): Code {
    const known = this.callCodes.get(call);
    if (known !== undefined) return known;
    const code = plainCode(callCode(this.program, call, 'device'));
    this.callCodes.set(call, code);
    return code;
  }

  /** Memory of a pool comes after what gave it back, whatever the streams (rule 6.7). */
  private allocated(call: Call): readonly Need[] {
    return call.kind === 'mallocAsync' ? (this.freed.get(this.memory(call.buffer)) ?? []) : [];
  }

  private memory(name: string): string {
    return wholeAccess(this.program, name, 'allocate').extent.memory;
  }
}

/** Calls that an H200 was seen to synchronise in. */
const ALLOCATES: ReadonlySet<Call['kind']> = new Set(['malloc', 'free', 'mallocHost', 'freeHost']);

function kindOf(command: Command): NodeKind {
  return command.type === 'graph' ? 'join' : kindOfWork(command.type);
}
