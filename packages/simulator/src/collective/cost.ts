import type { Rendezvous } from '@griddep/cuda';

/** What the members of a group have between them: the ring of all, in order of their devices. */
export interface Ring {
  readonly ranks: number;
  /** Of a step from one member to the next, the longest of the ring, ps. */
  readonly step: number;
  /** Of the slowest link of the ring, less what the protocol takes, bytes per second. */
  readonly bandwidth: number;
}

/**
 * Time of a collective from the arrival of its last member to its end, ps: steps of latency, and bytes over the slowest
 * port, by the algorithm that is quicker for its size (a ring, or a tree where there is one). `bytes` is what one member
 * contributes to an all-reduce, and the whole of what any other moves, as NCCL's tests count.
 */
export function collectiveTime({ collective, bytes }: Pick<Rendezvous, 'collective' | 'bytes'>, ring: Ring): number {
  const n = ring.ranks;
  if (n <= 1) return ring.step;
  const time = (steps: number, moved: number): number =>
    Math.max(1, steps) * ring.step + Math.ceil((moved / ring.bandwidth) * 1e12);
  const part = (n - 1) / n;
  const depth = Math.ceil(Math.log2(n));
  switch (collective) {
    case 'allReduce':
      return Math.min(time(2 * (n - 1), 2 * part * bytes), time(2 * depth, 2 * bytes));
    case 'allGather':
    case 'reduceScatter':
      return time(n - 1, part * bytes);
    case 'broadcast':
      return Math.min(time(n - 1, bytes), time(depth, 2 * bytes));
    case 'allToAll':
      return time(1, part * bytes);
    case 'sendRecv':
      return time(1, bytes);
  }
}
