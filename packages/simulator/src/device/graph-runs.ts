import type { ExecutableGraph, GraphCommand } from '@griddep/cuda';
import type { GraphPartDoneMessage, GraphPartMessage } from '../messages.ts';
import type { DeviceTimes } from './body.ts';
import type { Meetings } from './meetings.ts';
import type { Neighbours } from './neighbours.ts';
import { DeviceOperation } from './operation.ts';
import type { Operations } from './operations.ts';
import { conditionsOfNode, type RequireRemote } from './ordering.ts';
import type { RemoteEvents } from './remote-events.ts';
import type { Send } from './transfers.ts';
import type { Clock } from './unit-context.ts';

/** Where graphs run. */
export interface GraphRunsSpec {
  readonly device: number;
  readonly times: DeviceTimes;
  readonly neighbours: Neighbours;
}

/** What graphs need of the rest of the device. */
export interface GraphEvents {
  consider(operation: DeviceOperation, clock: Clock): void;
  finish(operation: DeviceOperation, clock: Clock): void;
  /** What somebody has waited for since before the graph began is complete. */
  expectedComplete(standIn: DeviceOperation): void;
  /** Makes a wait node wait for its event or value. */
  awaitOutside(operation: DeviceOperation, clock: Clock): void;
}

/** The device that has launched a graph of which this one runs a part. */
interface Part {
  readonly operation: DeviceOperation;
  readonly launcher: number;
}

/**
 * Graphs that have been launched. Each device runs the nodes that are its own; the one whose stream the launch is in
 * tells the others to begin, and completes it when all nodes are (case family `graph-two-devices-*`).
 */
export class GraphRuns {
  private readonly spec: GraphRunsSpec;
  private readonly operations: Operations;
  private readonly remote: RemoteEvents;
  private readonly meetings: Meetings;
  private readonly send: Send;
  private readonly events: GraphEvents;
  private readonly parts = new Map<DeviceOperation, Part>();

  constructor(
    spec: GraphRunsSpec,
    operations: Operations,
    remote: RemoteEvents,
    meetings: Meetings,
    send: Send,
    events: GraphEvents,
  ) {
    this.spec = spec;
    this.operations = operations;
    this.remote = remote;
    this.meetings = meetings;
    this.send = send;
    this.events = events;
  }

  /** The nodes of a graph become operations of their own; the launch completes with the last. */
  start(operation: DeviceOperation, { graph }: GraphCommand, clock: Clock): void {
    const { device, neighbours } = this.spec;
    operation.start = clock.now;
    const others = [...new Set(graph.nodes.map((node) => node.device))].filter((of) => of !== device);
    const own = graph.nodes.filter((node) => node.device === device).length;
    operation.childrenLeft = own + others.length;
    if (operation.childrenLeft === 0) {
      operation.end = clock.now;
      this.events.finish(operation, clock);
      return;
    }
    for (const other of others.sort((a, b) => a - b)) {
      const { op, stream } = operation;
      const message: GraphPartMessage = { type: 'graphPart', op, stream, graph, launcher: device };
      const to = neighbours.of(other);
      this.send(to.actor, to.signal(), message);
    }
    this.run(operation, graph, clock);
  }

  /** Another device has launched a graph with nodes on this one. */
  part({ op, stream, graph, launcher }: GraphPartMessage, clock: Clock): void {
    const operation = new DeviceOperation(op, stream, ELSEWHERE, false, clock.now);
    operation.cause = 'graphEdge';
    operation.childrenLeft = graph.nodes.filter((node) => node.device === this.spec.device).length;
    this.parts.set(operation, { operation, launcher });
    this.run(operation, graph, clock);
  }

  /** Another device has run its part of a graph that this one launched. */
  partDone({ op }: GraphPartDoneMessage, clock: Clock): void {
    this.childDone(this.operations.get(op) as DeviceOperation, clock);
  }

  /** A node of a launch or a part is complete. */
  childDone(parent: DeviceOperation, clock: Clock): void {
    if (--parent.childrenLeft > 0) return;
    const part = this.parts.get(parent);
    if (part === undefined) {
      parent.end = clock.now;
      this.events.finish(parent, clock);
      return;
    }
    this.parts.delete(parent);
    const to = this.spec.neighbours.of(part.launcher);
    const message: GraphPartDoneMessage = { type: 'graphPartDone', op: parent.op };
    this.send(to.actor, to.signal(), message);
  }

  private run(parent: DeviceOperation, graph: ExecutableGraph, clock: Clock): void {
    const { device, times } = this.spec;
    const nodes = graph.nodes.map((node, i) => {
      if (node.device !== device) return undefined;
      const child = new DeviceOperation(parent.op + 1 + i, parent.stream, node.work, true, clock.now);
      child.parent = parent;
      child.unit = 'graph';
      this.operations.add(child);
      const standIn = this.operations.takeExpected(child.op);
      if (standIn !== undefined) child.listen('complete', () => this.events.expectedComplete(standIn), clock.now);
      this.meetings.enter(child, clock);
      return child;
    });
    for (const [i, node] of graph.nodes.entries()) {
      const child = nodes[i];
      if (child !== undefined) {
        const requireRemote: RequireRemote = (from, milestone, condition) => {
          const on = { op: parent.op + 1 + from, stream: parent.stream, device: graph.nodes[from]?.device ?? device };
          this.remote.require(child, on, milestone, condition, clock);
        };
        conditionsOfNode(child, node, nodes, parent, times, clock.now, requireRemote);
        this.events.awaitOutside(child, clock);
        continue;
      }
      for (const { from, milestone } of node.edges) {
        const on = nodes[from];
        if (on !== undefined)
          this.remote.watch({ type: 'watch', op: on.op, milestone, watcher: node.device }, on, clock);
      }
    }
    for (const child of nodes) if (child !== undefined) this.events.consider(child, clock);
  }
}

/** What a launch of another device is here. */
const ELSEWHERE = { type: 'empty' } as const;
