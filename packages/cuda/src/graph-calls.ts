import type { Call, CallOf, Event, Graph } from '@griddep/program';
import { Capture } from './capture.ts';
import type { Collectives } from './collectives.ts';
import type { EnqueuedOperation, ExecutableGraph, NodeWork } from './commands.ts';
import { copyWork } from './copies.ts';
import { type CudaError, cudaError } from './errors.ts';
import { withEvents } from './event-nodes.ts';
import { executableFromGraph } from './graph.ts';
import { addEdge, hasEdgeData, inOrder, knowsEdgeData, newerDriver, removeEdge } from './graph-edges.ts';
import { getEdges, getNeighbours } from './graph-queries.ts';
import { UPDATE_RESULTS, updateProblem } from './graph-update.ts';
import { errorsOfNodes, hostFunctionWork } from './host-functions.ts';
import type { Issued, RuntimeStream } from './issued.ts';
import type { Launches } from './launch.ts';
import { type Invocation, nodeId, type ProcessState } from './process-state.ts';
import { valueWork } from './stream-values.ts';

interface Executable {
  graph: ExecutableGraph;
  /** Newest launch, which the next one comes after (rule 4.9). */
  lastLaunch: EnqueuedOperation | undefined;
}

/** Graphs of a process: captured, made by hand, instantiated, launched. */
export class Graphs {
  private readonly state: ProcessState;
  private readonly launches: Launches;
  private readonly collectives: Collectives;
  private readonly graphs = new Map<string, ExecutableGraph>();
  private readonly executables = new Map<string, Executable>();

  constructor(state: ProcessState, launches: Launches, collectives: Collectives) {
    this.state = state;
    this.collectives = collectives;
    this.launches = launches;
    for (const graph of state.program.graphs.values()) this.declare(graph);
  }

  /** A graph made by hand, in place of one of its name. */
  declare(graph: Graph): void {
    const made = executableFromGraph(graph, (call) => this.nodeWork(call));
    this.graphs.set(graph.name, made);
  }

  /** The newest graph of a name. */
  made(name: string): ExecutableGraph | undefined {
    return this.graphs.get(name);
  }

  /** cudaStreamBeginCapture; not in the legacy stream (rule 5.20). */
  beginCapture(invocation: Invocation<CallOf<'streamBeginCapture'>>): Issued {
    const { state } = this;
    const { thread, call } = invocation;
    const stream = state.stream(thread, call.stream);
    if (stream.kind === 'legacy' || state.captureOf(stream) !== undefined) {
      const message = `stream "${stream.name}" cannot begin a capture (rule 5.20)`;
      return state.fail(invocation, cudaError('cudaErrorStreamCaptureUnsupported', message));
    }
    state.captures.push(new Capture(stream.index, thread, call.mode));
    return state.captured(invocation);
  }

  /** Ends the capture even when it fails, but for one that is another stream's. */
  endCapture(invocation: Invocation<CallOf<'streamEndCapture'>>): Issued {
    const { state } = this;
    const { thread, call } = invocation;
    const stream = state.stream(thread, call.stream);
    const capture = state.captureOf(stream);
    if (capture === undefined || capture.origin !== stream.index) {
      if (capture !== undefined) capture.invalidated = true;
      const message = `stream "${stream.name}" did not begin a capture (rule 5.21)`;
      return state.fail(invocation, cudaError('cudaErrorStreamCaptureUnmatched', message));
    }
    if (capture.thread !== thread && capture.mode !== 'relaxed') {
      const message = `another thread began the capture of stream "${stream.name}" (rule 5.21)`;
      return state.fail(invocation, cudaError('cudaErrorStreamCaptureWrongThread', message));
    }
    state.captures.splice(state.captures.indexOf(capture), 1);
    for (const event of state.events.values()) if (event.captured?.capture === capture) event.captured = undefined;
    const error = this.incomplete(capture);
    if (error !== undefined) return state.fail(invocation, error);
    this.graphs.set(call.graph, { name: call.graph, nodes: capture.nodes });
    return state.captured(invocation);
  }

  /** Queries of a graph's edges. */
  query(invocation: Invocation<CallOf<'graphGetEdges' | 'graphNodeGetDependencies'>>): Issued {
    const { call } = invocation;
    const graph = this.graphs.get(call.graph);
    if (graph === undefined) return this.missing(invocation, call.graph, 'made');
    if (call.kind === 'graphGetEdges') return getEdges(this.state, { ...invocation, call }, graph);
    return getNeighbours(this.state, { ...invocation, call }, graph);
  }

  /** cudaGraphAddDependencies and cudaGraphRemoveDependencies; executables stay as they were made. */
  changeEdges(invocation: Invocation<CallOf<'graphAddDependencies'>>): Issued {
    const { call } = invocation;
    const graph = this.graphs.get(call.graph);
    if (graph === undefined) return this.missing(invocation, call.graph, 'made');
    if ((call.fromPort !== 'default' || call.type !== 'full') && !knowsEdgeData(this.state)) {
      return this.state.fail(invocation, newerDriver());
    }
    const changed = call.kind === 'graphAddDependencies' ? addEdge(graph, call) : removeEdge(graph, call);
    if ('code' in changed) return this.state.fail(invocation, changed);
    this.graphs.set(call.graph, changed);
    return this.state.done(invocation);
  }

  /** cudaGraphInstantiate, of the newest graph of that name. */
  instantiate(invocation: Invocation<CallOf<'graphInstantiate'>>): Issued {
    const { call } = invocation;
    const made = this.graphs.get(call.graph);
    if (made === undefined) return this.missing(invocation, call.graph, 'made');
    const graph = inOrder(made);
    if (graph === undefined) {
      const message = `graph "${call.graph}" has a cycle`;
      return this.state.fail(invocation, cudaError('cudaErrorInvalidValue', message));
    }
    if (graph.nodes.some(({ edges }) => edges.some(hasEdgeData)) && !knowsEdgeData(this.state)) {
      return this.state.fail(invocation, newerDriver());
    }
    this.executables.set(call.executable, { graph, lastLaunch: undefined });
    return this.state.done(invocation, undefined, { nodes: graph.nodes.length });
  }

  /** cudaGraphExecUpdate: parameters may change, the shape may not (rule 4.10). */
  update(invocation: Invocation<CallOf<'graphExecUpdate'>>): Issued {
    const { call } = invocation;
    const made = this.graphs.get(call.graph);
    const executable = this.executables.get(call.executable);
    if (made === undefined) return this.missing(invocation, call.graph, 'made');
    if (executable === undefined) return this.missing(invocation, call.executable, 'instantiated');
    const graph = inOrder(made);
    const problem = updateProblem(executable.graph, graph, this.state.devices);
    if (problem !== undefined || graph === undefined) {
      const updateResult = UPDATE_RESULTS[problem ?? 'error'];
      const message = `executable "${call.executable}" cannot become graph "${call.graph}": ${problem}, result ${updateResult} (rule 4.10)`;
      return this.state.fail(invocation, { ...cudaError('cudaErrorGraphExecUpdateFailure', message), updateResult });
    }
    executable.graph = graph;
    return this.state.done(invocation, undefined, { nodes: graph.nodes.length });
  }

  /** cudaGraphUpload; takes the host's time only. */
  upload(invocation: Invocation<CallOf<'graphLaunch' | 'graphUpload'>>): Issued {
    const { executable } = invocation.call;
    return this.executables.has(executable)
      ? this.state.done(invocation)
      : this.missing(invocation, executable, 'instantiated');
  }

  /** Launches, or into a capturing stream inserts, an executable; its nodes run on the devices that they were made for. */
  launch(invocation: Invocation<CallOf<'graphLaunch' | 'graphUpload'>>): Issued {
    const { state } = this;
    const { op, thread, call } = invocation;
    const executable = this.executables.get(call.executable);
    if (executable === undefined) return this.missing(invocation, call.executable, 'instantiated');
    const { graph: made, lastLaunch } = executable;
    const stream = state.stream(thread, call.stream);
    const capture = state.captureOf(stream);
    if (capture !== undefined) {
      capture.appendGraph(stream.index, nodeId(invocation, capture, call.executable), made);
      return state.captured(invocation);
    }
    executable.lastLaunch = { op, stream: stream.index, device: stream.device };
    const graph = withEvents(state, this.collectives.launched(made), op, stream);
    const issued = state.enqueue(
      invocation,
      stream,
      ({ after, ...base }) => ({
        type: 'graph',
        graph,
        after: lastLaunch === undefined ? after : [...after, { ...lastLaunch, cause: 'implicitSync' }],
        ...base,
      }),
      { nodes: graph.nodes.length },
    );
    const laterErrors = errorsOfNodes(graph, op);
    return laterErrors.length === 0 ? { ...issued, graph } : { ...issued, graph, laterErrors };
  }

  private incomplete(capture: Capture): CudaError | undefined {
    if (capture.invalidated) {
      return cudaError('cudaErrorStreamCaptureInvalidated', 'a call that was not allowed invalidated it (rule 5.21)');
    }
    const unjoined = capture.unjoined().map((index) => `"${this.state.streams[index]?.name}"`);
    if (unjoined.length === 0) return undefined;
    const origin = this.state.streams[capture.origin]?.name;
    return cudaError('cudaErrorStreamCaptureUnjoined', `not joined into "${origin}": ${unjoined.join(', ')}`);
  }

  private missing(invocation: Invocation, name: string, what: 'made' | 'instantiated'): Issued {
    return this.state.fail(invocation, cudaError('cudaErrorInvalidValue', `graph "${name}" has not been ${what}`));
  }

  /** What a node of a graph made by hand does. */
  private nodeWork(call: Call): { device: number; stream: number; work: NodeWork } {
    const { state } = this;
    if (!('stream' in call)) return { device: 0, stream: -1, work: { type: 'empty' } };
    const stream = state.stream(0, call.stream);
    const at = { device: stream.device, stream: stream.index };
    if ('bytes' in call && call.bytes === 0) return { ...at, work: { type: 'empty' } };
    switch (call.kind) {
      case 'launchKernel':
        return { ...at, work: this.launches.work(call, stream) };
      case 'collective':
        return { ...at, work: this.collectives.work(call, stream.priority) };
      case 'memcpy':
        return { ...at, work: copyWork(state, call, stream, false) };
      case 'memset':
        return { ...at, work: { type: 'memset', bytes: call.bytes } };
      case 'launchHostFunc':
        return { ...at, work: hostFunctionWork(call) };
      case 'eventRecord':
        return recordNode(state.event(call.event).event, stream);
      case 'streamWaitEvent':
        return { ...at, work: { type: 'wait', event: call.event, on: undefined, milestone: 'complete' } };
      case 'streamWaitValue':
      case 'streamWriteValue':
        return { ...at, work: valueWork(call) };
      case 'mallocAsync':
      case 'freeAsync':
        return { ...at, work: { type: 'empty', allocation: true } };
      default:
        return { ...at, work: { type: 'empty' } };
    }
  }
}

/** A node that records an event belongs to the event's device. */
function recordNode({ name, device, timing }: Event, stream: RuntimeStream) {
  return { device, stream: stream.index, work: { type: 'record', timing, event: name } as const };
}
