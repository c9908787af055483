import type { ProgramBuilder } from '../../builder.ts';
import type { Buffer, Stream } from '../../program.ts';
import { Additions, chunksOf } from './chunks.ts';
import { choice } from './parameters.ts';
import type { Ranks } from './ranks.ts';
import { nextInRing, ringAllReduce, ringChannels, segmentsOf } from './ring.ts';
import { childrenOf, parentOf, treeAllReduce, treeInboxes } from './tree.ts';

/** Largest part that is copied as one, bytes. */
const CHUNK = 4 * 2 ** 20;

/** A bucket of gradients, a buffer of each device. */
export interface Bucket {
  readonly index: number;
  readonly bytes: number;
  readonly gradients: readonly Buffer[];
}

/** Sums gradients over the devices, in streams of its own. */
export interface GradientSums {
  /** Devices whose memory a device reaches. */
  peers(rank: number): readonly number[];
  /** Sums begin when what is in these streams of a device so far is over. */
  readonly begin: readonly (readonly Stream[])[];
  /** Sums are there when what is in these streams of a device is over. */
  readonly end: readonly (readonly Stream[])[];
  sum(bucket: Bucket): void;
}

export const sumParameter = choice(
  'collective',
  'how gradients are summed: one collective call of each device, as NCCL offers, or peer copies and additions in a ring or a tree; a ring of n devices makes 2 n (n - 1) copies and more',
  ['collective', 'ring', 'tree'],
);

export function gradientSums(
  ranks: Ranks,
  program: ProgramBuilder,
  how: (typeof sumParameter)['default'],
  largestBucket: number,
): GradientSums {
  if (ranks.count === 1) return { peers: () => [], begin: [[]], end: [[]], sum: () => undefined };
  if (how === 'collective') return byCollective(ranks);
  const additions = new Additions(program);
  return how === 'ring' ? byRing(ranks, additions, largestBucket) : byTree(ranks, additions);
}

function byCollective(ranks: Ranks): GradientSums {
  const streams = ranks.map((rank) => [ranks.stream(rank, 'sum')] as const);
  return {
    peers: () => [],
    begin: streams,
    end: streams,
    sum({ index, bytes }) {
      for (const [stream] of streams) ranks.collective('allReduce', 'data', bytes, stream, `allReduce#${index}`);
    },
  };
}

function byRing(ranks: Ranks, additions: Additions, largestBucket: number): GradientSums {
  const channels = ringChannels(ranks, segmentsOf(largestBucket, ranks.count, CHUNK));
  return {
    peers: (rank) => [nextInRing(rank, ranks.count)],
    begin: channels,
    end: channels,
    sum({ index, bytes, gradients: data }) {
      const segments = segmentsOf(bytes, ranks.count, CHUNK);
      const scratch = ranks.map((rank) => ranks.buffer(rank, `scratch${index}_`, bytes));
      ringAllReduce(ranks, { segments, data, scratch, channels, additions, name: `bucket${index}/` });
    },
  };
}

function byTree(ranks: Ranks, additions: Additions): GradientSums {
  const up = ranks.map((rank) => ranks.stream(rank, 'up'));
  const down = ranks.map((rank) => ranks.stream(rank, 'down'));
  return {
    peers: (rank) => [parentOf(rank) ?? rank, ...childrenOf(rank, ranks.count)],
    begin: up.map((stream) => [stream]),
    end: down.map((stream) => [stream]),
    sum({ index, bytes, gradients: data }) {
      // Of each bucket its own: a child may send the next one before the parent has added this one.
      const inboxes = treeInboxes(ranks, bytes, `inbox${index}_`);
      const name = `bucket${index}/`;
      treeAllReduce(ranks, { chunks: chunksOf(bytes, CHUNK), data, inboxes, additions, up, down, name });
    },
  };
}
