import type { CaptureMode } from '@griddep/program';
import type { ExecutableGraph, ExecutableNode, NodeEdge, NodeWork } from './commands.ts';
import type { RuntimeStream } from './issued.ts';

/** A capture in progress: the graph so far and, per stream in it, the nodes that the stream's next one depends on. */
export class Capture {
  readonly origin: number;
  readonly thread: number;
  readonly mode: CaptureMode;
  readonly nodes: ExecutableNode[] = [];
  /** True after a forbidden call: every further one fails too, until the capture ends (rule 5.21, 901). */
  invalidated = false;
  private readonly frontier = new Map<number, readonly NodeEdge[]>();
  /** Streams whose newest work is a kernel directly followed by nothing that would break an early launch. */
  private readonly direct = new Map<number, number>();

  constructor(origin: number, thread: number, mode: CaptureMode) {
    this.origin = origin;
    this.thread = thread;
    this.mode = mode;
    this.frontier.set(origin, []);
  }

  /** Whether a stream has joined the capture. */
  has(stream: number): boolean {
    return this.frontier.has(stream);
  }

  /** Streams in the capture, in the order in which they joined. */
  streams(): Iterable<number> {
    return this.frontier.keys();
  }

  /** Whether a stream of a device is in it that the legacy stream of the device synchronises with. */
  holdsBlocking(all: readonly RuntimeStream[], device: number): boolean {
    for (const index of this.streams()) {
      const stream = all[index];
      if (stream?.device === device && stream.kind !== 'nonBlocking') return true;
    }
    return false;
  }

  /**
   * Appends a node to a stream. With `programmatic`, the edge from the kernel directly before in the stream is a
   * programmatic one (rules 1.15, 4.4); other edges keep their kind.
   */
  append(stream: number, id: string, device: number, work: NodeWork, programmatic: boolean, captured: number): number {
    const index = this.nodes.length;
    const direct = this.direct.get(stream);
    const edges = this.recorded(stream).map((edge) =>
      programmatic && edge.from === direct && edge.milestone === 'complete'
        ? { from: edge.from, milestone: 'triggered' as const, programmatic: true }
        : edge,
    );
    this.nodes.push({ id, device, stream, work, edges, captured });
    this.frontier.set(stream, [afterNode(index)]);
    if (work.type === 'kernel') this.direct.set(stream, index);
    else this.direct.delete(stream);
    return index;
  }

  /** Appends the nodes of another graph: its roots follow the stream's work, and what follows it waits for its leaves. */
  appendGraph(stream: number, id: string, graph: ExecutableGraph): void {
    if (graph.nodes.length === 0) return;
    const base = this.nodes.length;
    const before = this.recorded(stream);
    const leaves = new Set(graph.nodes.keys());
    for (const node of graph.nodes) {
      for (const edge of node.edges) leaves.delete(edge.from);
      const inside = node.edges.map((edge) => ({ ...edge, from: base + edge.from }));
      this.nodes.push({ ...node, id: `${id}/${node.id}`, edges: node.edges.length === 0 ? before : inside });
    }
    this.frontier.set(
      stream,
      [...leaves].map((leaf) => afterNode(base + leaf)),
    );
    this.direct.delete(stream);
  }

  /** What an event recorded now in a stream would stand for. */
  recorded(stream: number): readonly NodeEdge[] {
    return this.frontier.get(stream) ?? [];
  }

  /** Makes the next node of a stream, which joins the capture if it had not, depend on edges as well. */
  join(stream: number, edges: readonly NodeEdge[]): void {
    const merged = [...this.recorded(stream)];
    for (const edge of edges) {
      const present = merged.some((e) => e.from === edge.from && e.milestone === edge.milestone);
      if (!present) merged.push(edge);
    }
    this.frontier.set(stream, merged);
    this.direct.delete(stream);
  }

  /** Streams other than the origin whose newest work the origin does not depend on (rule 5.21, 904). */
  unjoined(): number[] {
    const reached = new Set<number>();
    const pending = [...this.recorded(this.origin)];
    for (let edge = pending.pop(); edge !== undefined; edge = pending.pop()) {
      if (reached.has(edge.from)) continue;
      reached.add(edge.from);
      pending.push(...(this.nodes[edge.from]?.edges ?? []));
    }
    const open: number[] = [];
    for (const [stream, edges] of this.frontier) {
      if (stream !== this.origin && edges.some((e) => !reached.has(e.from))) open.push(stream);
    }
    return open;
  }
}

/** An edge without data from a node: after its completion. */
export function afterNode(index: number): NodeEdge {
  return { from: index, milestone: 'complete', programmatic: false };
}
