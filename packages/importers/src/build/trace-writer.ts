import type { CallInput, HostThreadBuilder } from '@griddep/program';
import { shortName } from '../names.ts';
import { streamKey } from '../overlaps.ts';
import type { Trace, TraceCall, TraceOperation } from '../trace.ts';
import { type CallRole, roleOf } from './call-kinds.ts';
import { earlyLaunches } from './early-launches.ts';
import { correlationKey, type Edges, resolveEdges } from './edges.ts';
import { declareGraph, earlyNode, type TracedGraph, tracedGraphs } from './graphs.ts';
import { HostWriter } from './host-writer.ts';
import { withLikelyEdges } from './likely-edges.ts';
import { OperationWriter } from './operation-writer.ts';
import type { Place, SharedParts } from './shared-parts.ts';
import { indexTrace, type TraceIndex } from './trace-index.ts';
import { usualPauses } from './usual-pauses.ts';

/** Calls that wait for nothing and make nothing happen on a device are time of the host. */
const HOST_TIME: ReadonlySet<CallRole> = new Set(['memory', 'other']);

/** Writes the calls of one trace into a program. */
export class TraceWriter {
  readonly #trace: Trace;
  readonly #number: number;
  readonly #offset: number;
  readonly #shared: SharedParts;
  readonly #index: TraceIndex;
  readonly #edges: Edges;
  readonly #operations: OperationWriter;
  readonly #graphs: ReadonlyMap<readonly TraceOperation[], TracedGraph>;
  readonly #pauses: ReadonlyMap<TraceCall, number> | undefined;
  readonly #writers = new Map<number, HostWriter>();
  readonly #rangesOf = new Map<number, number[]>();
  readonly #declaredEvents = new Set<string>();

  constructor(trace: Trace, number: number, offset: number, shared: SharedParts) {
    this.#trace = trace;
    this.#number = number;
    this.#offset = offset;
    this.#shared = shared;
    this.#index = indexTrace(trace);
    const { findings } = shared;
    this.#pauses = shared.isUnprofiled ? usualPauses(trace, this.#index) : undefined;
    const prefix = shared.devices.count > 1 ? `${number} ` : '';
    const told = resolveEdges(trace, prefix, findings);
    this.#edges = shared.assumesWaits ? withLikelyEdges(trace, this.#index, told, prefix, findings) : told;
    const launches = trace.calls
      .filter(({ name }) => roleOf(name) === 'graphLaunch')
      .flatMap((call) => {
        const nodes = this.#index.byCall.get(call);
        return nodes === undefined || nodes.some(({ kind }) => kind === 'graph') ? [] : [nodes];
      });
    const inGraph = new Set(launches.flat());
    this.#graphs = tracedGraphs(launches, shared.usualGap, shared.graphNames, findings, shared);
    const early = earlyLaunches(trace, (operation) => inGraph.has(operation));
    this.#operations = new OperationWriter(trace, number, offset, shared, early);
    const { length, thread } = trace.ranges;
    for (let i = 0; i < length; i++) {
      const own = this.#rangesOf.get(thread[i] as number);
      if (own === undefined) this.#rangesOf.set(thread[i] as number, [i]);
      else own.push(i);
    }
  }

  /** Time that making this trace's graphs takes before the trace begins, ps. */
  get preparation(): number {
    const { graphInstantiate, graphInstantiatePerNode } = this.#shared.times;
    return this.#distinctGraphs().reduce(
      (sum, { nodes }) => sum + graphInstantiate + nodes.length * graphInstantiatePerNode,
      0,
    );
  }

  /** Writes all of it. @param begin of the program's host threads, ps, at or before 0 */
  write(begin: number): void {
    const { findings } = this.#shared;
    for (const [what, count] of this.#trace.ignored) findings.add('left out', what, this.#trace.file, count);
    if (this.#trace.cut !== undefined)
      findings.add('unknown', `what followed where the file is cut: ${this.#trace.cut}`);
    this.#prepare(begin);
    this.#writeOrphans(begin);
    let last = -1;
    for (const call of this.#trace.calls) {
      if (last >= 0 && call.thread !== last && this.#trace.threads.length > 1) {
        findings.add('unknown', 'times that the calls of one host thread follow those of another: what ties threads');
      }
      last = call.thread;
      this.#call(call, begin);
    }
    for (const writer of this.#writers.values()) writer.finish();
  }

  #distinctGraphs(): TracedGraph[] {
    return [...new Set(this.#graphs.values())];
  }

  #prepare(begin: number): void {
    const graphs = this.#distinctGraphs();
    const first = this.#trace.calls.find(({ name }) => roleOf(name) === 'graphLaunch');
    if (graphs.length === 0 || first === undefined) return;
    const { builder, times } = this.#shared;
    const writer = this.#writer(first.thread, begin);
    for (const graph of graphs) {
      const { resolution } = this.#trace;
      declareGraph(builder, graph, resolution, (node, i) => this.#nodeCall(graph, node, i));
      writer.calls.graphInstantiate(graph.name, graph.executable);
      writer.spend(times.graphInstantiate + graph.nodes.length * times.graphInstantiatePerNode);
    }
  }

  #nodeCall(graph: TracedGraph, node: TraceOperation, index: number): CallInput {
    const stream = this.#operations.stream(node);
    if (node.kind === 'kernel') {
      const { start, end } = graph.times[index] as { start: number; end: number };
      const early = earlyNode(graph, index, this.#trace.resolution);
      return {
        launchKernel: {
          kernel: this.#operations.kernel(node, end - start + (graph.pauses[index] ?? 0), early),
          stream,
        },
      };
    }
    return node.kind === 'memset'
      ? { memsetAsync: { bytes: Math.max(1, node.bytes), stream } }
      : {
          memcpyAsync: {
            copy: this.#operations.copyKind(node),
            bytes: Math.max(1, node.bytes),
            stream,
            hostMemory: 'pinned',
          },
        };
  }

  /** What was called before the file begins was in the streams' queues when it began. */
  #writeOrphans(begin: number): void {
    const { orphans } = this.#index;
    if (orphans.length === 0) return;
    const { findings } = this.#shared;
    findings.add(
      'assumed',
      'operations without a call in the file: they were enqueued before it begins',
      shortName((orphans[0] as TraceOperation).name),
      orphans.length,
    );
    for (const operation of orphans) {
      const thread = this.#trace.threads.findIndex(({ process }) => process === operation.process);
      const issuer = this.#issuerOf(operation) ?? Math.max(0, thread);
      this.#operations.issue(this.#writer(issuer, begin), operation, { isAsync: true });
    }
  }

  /** The thread that issues later work to the operation's stream. */
  #issuerOf(operation: TraceOperation): number | undefined {
    this.#issuers ??= new Map(
      [...this.#index.byCall]
        .flatMap(([call, made]) => made.map((each) => [streamKey(each), call.thread] as const))
        .reverse(),
    );
    return this.#issuers.get(streamKey(operation));
  }
  #issuers: Map<string, number> | undefined;

  #writer(thread: number, begin: number): HostWriter {
    const known = this.#writers.get(thread);
    if (known !== undefined) return known;
    const { builder, threadNames, devices } = this.#shared;
    const { process, name } = this.#trace.threads[thread] ?? { process: '', name: 'before the trace' };
    const title = this.#trace.rank === undefined || devices.count < 2 ? '' : `rank ${this.#trace.rank} `;
    const calls = builder.hostThread(
      threadNames.unique(`${title}thread ${process === name ? name : `${process}/${name}`}`),
    );
    const own = this.#rangesOf.get(thread) ?? [];
    const writer = new HostWriter(calls, 0, begin, this.#trace.ranges, own, this.#pauses);
    this.#writers.set(thread, writer);
    return writer;
  }

  #call(call: TraceCall, begin: number): void {
    const made = this.#index.byCall.get(call);
    const role = roleOf(call.name);
    if (made === undefined && HOST_TIME.has(role)) {
      if (this.#pauses !== undefined) this.#writer(call.thread, begin).skip(call, this.#ownTime(call, role));
      return;
    }
    const writer = this.#writer(call.thread, begin);
    writer.enterRanges(call.start);
    if (made !== undefined) {
      const graph = this.#graphs.get(made);
      if (graph !== undefined) this.#launchGraph(writer, call, graph, made);
      else for (const operation of made) this.#operations.issueFrom(writer, call, operation, role);
      return;
    }
    this.#callAlone(writer, call, role);
  }

  /** What a call that is not in the program takes without a profiler: memory its own time, others that of a query. */
  #ownTime({ start, end }: TraceCall, role: CallRole): number {
    return role === 'memory' ? end - start : Math.min(end - start, this.#shared.times.query);
  }

  /** A call that made nothing run on a device. */
  #callAlone(writer: HostWriter, call: TraceCall, role: CallRole): void {
    const { findings, times } = this.#shared;
    const key = correlationKey(this.#trace, this.#trace.threads[call.thread]?.process ?? '', call.correlation);
    const known = call.correlation > 0 ? this.#edges.waits.get(key) : undefined;
    const passed = () => writer.skip(call, this.#ownTime(call, role));
    switch (role) {
      case 'record': {
        const record = this.#edges.records.get(key);
        const stream = record === undefined ? undefined : this.#shared.streams.named(this.#number, record.streamKey);
        if (record === undefined || stream === undefined) {
          findings.add('unknown', 'records of events in a stream that is not told', `${call.name} ${call.correlation}`);
          passed();
          return;
        }
        this.#before(writer, call, times.eventRecord);
        this.#operations.onDevice(writer, this.#shared.devices.index(this.#number, record.device));
        writer.calls.eventRecord(this.#event(record.event, record.device), stream);
        writer.spend(times.eventRecord);
        return;
      }
      case 'streamWait': {
        const record = known?.record === undefined ? undefined : this.#edges.records.get(known.record);
        if (known === undefined || record === undefined || known.wait.stream < 0) {
          findings.add('unknown', 'stream waits whose stream or event is not told', `${call.name} ${call.correlation}`);
          passed();
          return;
        }
        this.#before(writer, call, times.streamWaitEvent);
        writer.calls.streamWaitEvent(
          this.#operations.stream(this.#place(known.wait)),
          this.#event(record.event, record.device),
        );
        writer.spend(times.streamWaitEvent);
        return;
      }
      case 'eventSync': {
        const record = known?.record === undefined ? undefined : this.#edges.records.get(known.record);
        if (record === undefined) {
          findings.add(
            'unknown',
            'waits of the host for an event that is not told',
            `${call.name} ${call.correlation}`,
          );
          passed();
          return;
        }
        this.#waitFor(writer, call, [record.streamKey], (calls) =>
          calls.eventSynchronize(this.#event(record.event, record.device)),
        );
        return;
      }
      case 'streamSync': {
        const stream = this.#synchronised(known?.wait);
        if (stream === undefined) {
          findings.add(
            'unknown',
            'waits of the host for a stream that is not told',
            `${call.name} ${call.correlation}`,
          );
          passed();
          return;
        }
        this.#waitFor(writer, call, [stream.key], (calls) => calls.streamSynchronize(stream.name));
        return;
      }
      case 'deviceSync':
        this.#waitFor(writer, call, [...this.#operations.issuedUntil.keys()], (calls) => calls.deviceSynchronize());
        return;
      case 'launch':
      case 'graphLaunch':
      case 'copy':
      case 'syncCopy':
      case 'memset':
        findings.add(
          'unknown',
          'calls whose work on the device is not in the file',
          `${call.name} ${call.correlation}`,
        );
        passed();
        return;
      default:
        passed();
        return;
    }
  }

  /** The stream of a wait; of a file that does not tell it, the only one there is. */
  #synchronised(wait: Place | undefined): { readonly key: string; readonly name: string } | undefined {
    if (wait !== undefined && wait.stream >= 0) {
      const key = streamKey(this.#place(wait));
      const name = this.#shared.streams.named(this.#number, key);
      return name === undefined ? undefined : { key, name };
    }
    const [key, ...others] = this.#operations.issuedUntil.keys();
    const name = key === undefined ? undefined : this.#shared.streams.named(this.#number, key);
    return key === undefined || name === undefined || others.length > 0 ? undefined : { key, name };
  }

  /** Where the stream of a wait is: profilers write such rows with another device or context than that of its work. */
  #place(wait: Place): Place {
    if (this.#places === undefined) {
      this.#places = new Map();
      for (const operation of this.#trace.operations) {
        this.#places.set(streamKey(operation), operation);
        this.#places.set(`${operation.process} ${operation.stream}`, operation);
      }
    }
    return this.#places.get(streamKey(wait)) ?? this.#places.get(`${wait.process} ${wait.stream}`) ?? wait;
  }
  #places: Map<string, Place> | undefined;

  #before(writer: HostWriter, call: TraceCall, cost: number): void {
    writer.arrive(call, cost, this.#offset);
  }

  /** A call that waits for what streams have to do. What it took longer than that is time of the host. */
  #waitFor(
    writer: HostWriter,
    call: TraceCall,
    keys: readonly string[],
    wait: (calls: HostThreadBuilder) => void,
  ): void {
    const { times } = this.#shared;
    if (writer.isUnprofiled) {
      writer.arrive(call, 0, this.#offset);
      wait(writer.calls);
      return;
    }
    const start = call.start + this.#offset;
    const end = call.end + this.#offset;
    const done = Math.max(...keys.map((key) => this.#operations.issuedUntil.get(key) ?? Number.NEGATIVE_INFINITY));
    if (done <= start) writer.until(end - times.query);
    else writer.until(start);
    wait(writer.calls);
    if (done <= start) {
      writer.spend(times.query);
      return;
    }
    const returned = done + times.afterWait;
    writer.setTime(returned);
    writer.until(end);
  }

  #launchGraph(writer: HostWriter, call: TraceCall, graph: TracedGraph, made: readonly TraceOperation[]): void {
    const { times } = this.#shared;
    const cost = times.graphLaunch + graph.nodes.length * times.graphLaunchPerNode;
    this.#before(writer, call, cost);
    const stream = this.#operations.stream(graph.nodes[0] as TraceOperation);
    this.#operations.onDevice(writer, this.#operations.device(graph.nodes[0] as TraceOperation));
    writer.calls.graphLaunch(graph.executable, stream, { label: this.#shared.labels.unique(graph.name, '#') });
    writer.spend(cost);
    for (const node of made) this.#operations.issued(node);
  }

  #event(name: string, device: number): string {
    if (!this.#declaredEvents.has(name)) {
      this.#declaredEvents.add(name);
      this.#shared.builder.event(name, { device: this.#shared.devices.index(this.#number, device), timing: false });
    }
    return name;
  }
}
