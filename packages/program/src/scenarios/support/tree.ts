import type { Buffer, Stream } from '../../program.ts';
import { at } from './at.ts';
import type { Additions, Chunk } from './chunks.ts';
import type { Recorded } from './event-pool.ts';
import type { Ranks } from './ranks.ts';

/** The devices below a device in a binary tree whose root is device 0. */
export function childrenOf(rank: number, devices: number): number[] {
  return [2 * rank + 1, 2 * rank + 2].filter((child) => child < devices);
}

export function parentOf(rank: number): number | undefined {
  return rank === 0 ? undefined : (rank - 1) >> 1;
}

/** Buffers that a device's children send to, each as large as the data. */
export function treeInboxes(ranks: Ranks, bytes: number, name = 'inbox'): Buffer[][] {
  return ranks.map((rank) => childrenOf(rank, ranks.count).map((_, i) => ranks.buffer(rank, `${name}${i}_`, bytes)));
}

interface Tree {
  readonly chunks: readonly Chunk[];
  readonly data: readonly Buffer[];
  readonly inboxes: readonly (readonly Buffer[])[];
  readonly additions: Additions;
  /** Of each device: where sums are made and go up, and where they come down. May be one and the same. */
  readonly up: readonly Stream[];
  readonly down: readonly Stream[];
  /** Before the labels. */
  readonly name?: string;
}

/**
 * Sums go up the tree and the result comes down, chunk after chunk; `down` of each device waits for the last arrival. A
 * device's calls for a chunk are made a step after those of the devices it waits for, together with theirs for the next
 * chunk: host threads would otherwise wait for each other, up and down the tree, for every chunk.
 */
export function treeAllReduce(ranks: Ranks, tree: Tree): void {
  const { chunks } = tree;
  const steps = new TreeSteps(ranks, tree);
  const depth = depthOf(ranks.count - 1);
  for (let step = 0; step <= chunks.length + 2 * depth; step++) {
    for (let rank = ranks.count - 1; rank >= 0; rank--) {
      const rising = chunks[step - (depth - depthOf(rank))];
      if (rising !== undefined) steps.up(rank, rising);
    }
    for (let rank = 0; rank < ranks.count; rank++) {
      const falling = chunks[step - 1 - depth - depthOf(rank)];
      if (falling !== undefined) steps.down(rank, falling);
    }
  }
}

/** Distance from the root. */
function depthOf(rank: number): number {
  return Math.floor(Math.log2(rank + 1));
}

class TreeSteps {
  private readonly ranks: Ranks;
  private readonly tree: Tree;
  /** By device and chunk: that its sum has been sent up, and that the result has come (at the root: that it is made). */
  private readonly sent: readonly Map<number, Recorded>[];
  private readonly arrived: readonly Map<number, Recorded>[];

  constructor(ranks: Ranks, tree: Tree) {
    this.ranks = ranks;
    this.tree = tree;
    this.sent = ranks.map(() => new Map());
    this.arrived = ranks.map(() => new Map());
  }

  /** Adds what the children have sent, and sends the sum up. */
  up(rank: number, { offset, bytes, index }: Chunk): void {
    const { ranks, sent } = this;
    const { data, inboxes, additions, up, down, name = '' } = this.tree;
    const stream = at(up, rank);
    const own = at(data, rank);
    childrenOf(rank, ranks.count).forEach((child, i) => {
      this.wait(stream, at(sent, child), index);
      const args = { sum: own, part: at(at(inboxes, rank), i) };
      ranks.launch(stream, additions.kernel(offset, bytes), args, `${name}add.${index}.${i}`);
    });
    const parent = parentOf(rank);
    if (parent !== undefined) {
      const inbox = at(at(inboxes, parent), (rank - 1) & 1);
      ranks.copy(stream, { buffer: own, offset }, { buffer: inbox, offset }, bytes, `${name}up.${index}`);
      at(sent, rank).set(index, ranks.record(stream));
      ranks.tell(rank);
    } else if (stream !== down[rank]) at(this.arrived, rank).set(index, ranks.record(stream));
  }

  /** Sends the result on to the children. */
  down(rank: number, { offset, bytes, index }: Chunk): void {
    const { ranks, arrived } = this;
    const { data, down, name = '' } = this.tree;
    const stream = at(down, rank);
    this.wait(stream, at(arrived, rank), index);
    const children = childrenOf(rank, ranks.count);
    children.forEach((child, i) => {
      const source = { buffer: at(data, rank), offset };
      const destination = { buffer: at(data, child), offset };
      ranks.copy(stream, source, destination, bytes, `${name}down.${index}.${i}`);
      at(arrived, child).set(index, ranks.record(stream));
    });
    if (children.length > 0) ranks.tell(rank);
  }

  private wait(stream: Stream, records: Map<number, Recorded>, chunk: number): void {
    const recorded = records.get(chunk);
    if (recorded !== undefined) this.ranks.wait(stream, recorded);
    records.delete(chunk);
  }
}
