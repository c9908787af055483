import { OF_NODES } from '@griddep/cuda';

/** How far streams have come as the host sees it; one for all processes whose actors share a runtime. */
export class StreamProgress {
  /** Newest complete operation by stream. */
  private readonly newest: number[] = [];
  /** Records in graphs that have been reached. */
  private readonly nodes = new Set<number>();

  /** A stream has come to an operation, or a graph to its node. */
  note(stream: number, op: number): void {
    if (stream === OF_NODES) this.nodes.add(op);
    else this.newest[stream] = op;
  }

  /** Whether a stream has come as far as an operation. */
  has(stream: number, op: number): boolean {
    return stream === OF_NODES ? this.nodes.has(op) : (this.newest[stream] ?? -1) >= op;
  }
}
