import type { HostThreadBuilder } from '../../host-thread-builder.ts';

/**
 * How far host threads of several devices have got, as they tell each other through flags: each counts its own up, and
 * another awaits a count. Since a count is signalled, in the order of building, before it is awaited, no thread can wait
 * for ever. With one thread there is nothing to tell.
 */
export class Progress {
  private readonly threads: readonly HostThreadBuilder[];
  private readonly flags: readonly string[];
  private readonly signalled: number[];
  /** Highest count that a thread has awaited of each other. */
  private readonly awaited: readonly Map<number, number>[];

  constructor(threads: readonly HostThreadBuilder[]) {
    this.threads = threads;
    this.flags = threads.map((_, rank) => `progress${rank}`);
    this.signalled = threads.map(() => 0);
    this.awaited = threads.map(() => new Map());
  }

  /** The count that stands for all calls made for `rank` so far. */
  next(rank: number): number {
    return (this.signalled[rank] ?? 0) + 1;
  }

  /** Whether `rank` knows that `other` has got to `count`. */
  knows(rank: number, other: number, count: number): boolean {
    if (this.threads.length === 1 || rank === other) return true;
    return (this.awaited[rank]?.get(other) ?? 0) >= count;
  }

  /** Makes `rank` wait, if need be, until `other` has got to `count`. */
  await(rank: number, other: number, count: number): void {
    if (this.knows(rank, other, count)) return;
    if ((this.signalled[other] as number) < count) this.tell(other);
    this.awaited[rank]?.set(other, count);
    this.threads[rank]?.push({ kind: 'hostAwait', flag: this.flags[other] as string, value: count });
  }

  /** Makes `rank` say that it has made its calls so far. */
  tell(rank: number): void {
    if (this.threads.length === 1) return;
    const count = this.next(rank);
    this.signalled[rank] = count;
    this.threads[rank]?.push({ kind: 'hostSignal', flag: this.flags[rank] as string, value: count });
  }
}
