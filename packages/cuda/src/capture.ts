import type { ExecutableNode, NodeEdge, NodeWork } from './commands.ts';

/** A capture in progress: the graph so far and, per stream in it, the nodes that the stream's next one depends on. */
export class Capture {
  readonly graph: string;
  readonly origin: number;
  readonly thread: number;
  readonly mode: 'global' | 'threadLocal' | 'relaxed';
  readonly nodes: ExecutableNode[] = [];
  private readonly frontier = new Map<number, readonly NodeEdge[]>();
  /** Streams whose newest work is a kernel directly followed by nothing that would break an early launch. */
  private readonly direct = new Map<number, number>();

  constructor(graph: string, origin: number, thread: number, mode: 'global' | 'threadLocal' | 'relaxed') {
    this.graph = graph;
    this.origin = origin;
    this.thread = thread;
    this.mode = mode;
    this.frontier.set(origin, []);
  }

  has(stream: number): boolean {
    return this.frontier.has(stream);
  }

  /**
   * Appends a node to a stream. With `programmatic`, the edge from the kernel directly before in the stream is a
   * programmatic one (rule 4.4); other edges keep their kind.
   */
  append(stream: number, id: string, device: number, work: NodeWork, programmatic: boolean): number {
    const index = this.nodes.length;
    const direct = this.direct.get(stream);
    const edges = (this.frontier.get(stream) ?? []).map((edge) =>
      programmatic && edge.from === direct && edge.milestone === 'complete'
        ? { from: edge.from, milestone: 'triggered' as const, programmatic: true }
        : edge,
    );
    this.nodes.push({ id, device, stream, work, edges });
    this.frontier.set(stream, [{ from: index, milestone: 'complete', programmatic: false }]);
    if (work.type === 'kernel') this.direct.set(stream, index);
    else this.direct.delete(stream);
    return index;
  }

  /** What an event recorded now in a stream would stand for. */
  recorded(stream: number): readonly NodeEdge[] {
    return this.frontier.get(stream) ?? [];
  }

  /** Makes the next node of a stream, which joins the capture if it had not, depend on edges as well. */
  join(stream: number, edges: readonly NodeEdge[]): void {
    const present = this.frontier.get(stream) ?? [];
    const merged = [...present];
    for (const edge of edges) {
      if (!merged.some((e) => e.from === edge.from && e.milestone === edge.milestone)) merged.push(edge);
    }
    this.frontier.set(stream, merged);
    this.direct.delete(stream);
  }

  /** Streams other than the origin whose newest work the origin does not depend on (rule 5.21, 904). */
  unjoined(): number[] {
    const reached = new Set<number>();
    const pending = [...(this.frontier.get(this.origin) ?? [])];
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
