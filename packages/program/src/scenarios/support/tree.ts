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

/** Sums go up the tree and the result comes down, chunk after chunk; `down` of each device waits for the last arrival. */
export function treeAllReduce(ranks: Ranks, tree: Tree): void {
  for (const chunk of tree.chunks) {
    const sum = reduceUp(ranks, tree, chunk);
    broadcastDown(ranks, tree, chunk, sum);
  }
}

/** The record of the whole sum at the root; undefined where it comes down in the stream that made it. */
function reduceUp(ranks: Ranks, tree: Tree, chunk: Chunk): Recorded | undefined {
  const { data, inboxes, additions, up, name = '' } = tree;
  const { offset, bytes, index } = chunk;
  const sent: Recorded[] = [];
  for (let rank = ranks.count - 1; rank >= 0; rank--) {
    const stream = at(up, rank);
    const own = at(data, rank);
    childrenOf(rank, ranks.count).forEach((child, i) => {
      ranks.wait(stream, at(sent, child));
      const args = { sum: own, part: at(at(inboxes, rank), i) };
      ranks.launch(stream, additions.kernel(offset, bytes), args, `${name}add.${index}.${i}`);
    });
    const parent = parentOf(rank);
    if (parent === undefined) return stream === tree.down[rank] ? undefined : ranks.record(stream);
    const inbox = at(at(inboxes, parent), (rank - 1) & 1);
    ranks.copy(stream, { buffer: own, offset }, { buffer: inbox, offset }, bytes, `${name}up.${index}`);
    sent[rank] = ranks.record(stream);
  }
  return undefined;
}

function broadcastDown(ranks: Ranks, tree: Tree, chunk: Chunk, sum: Recorded | undefined): void {
  const { data, down, name = '' } = tree;
  const { offset, bytes, index } = chunk;
  const arrived = [sum];
  for (let rank = 0; rank < ranks.count; rank++) {
    const stream = at(down, rank);
    const arrival = arrived[rank];
    if (arrival !== undefined) ranks.wait(stream, arrival);
    childrenOf(rank, ranks.count).forEach((child, i) => {
      const source = { buffer: at(data, rank), offset };
      const destination = { buffer: at(data, child), offset };
      ranks.copy(stream, source, destination, bytes, `${name}down.${index}.${i}`);
      arrived[child] = ranks.record(stream);
    });
  }
}
