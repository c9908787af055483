import type { Block } from '@griddep/cuda';

/** What a thread waits for: a stream to come further or to have room, or a flag. */
export type Condition = Block | { readonly on: 'depth'; readonly stream: number };

/** Threads by what may wake them, so that of many only those are looked at whom something concerns. */
export class Waiters<T> {
  private readonly byStream = new Map<number, Set<T>>();
  private readonly byFlag = new Map<string, Set<T>>();

  add(thread: T, condition: Condition): void {
    for (const set of this.sets(condition)) set.add(thread);
  }

  remove(thread: T, condition: Condition): void {
    for (const set of this.sets(condition)) set.delete(thread);
  }

  /** Who waits for a stream, in the order in which they began to. */
  ofStream(stream: number): readonly T[] {
    return [...(this.byStream.get(stream) ?? [])];
  }

  ofFlag(flag: string): readonly T[] {
    return [...(this.byFlag.get(flag) ?? [])];
  }

  private sets(condition: Condition): Set<T>[] {
    if (condition.on === 'flag') return [setOf(this.byFlag, condition.flag)];
    if (condition.on === 'depth') return [setOf(this.byStream, condition.stream)];
    return condition.until.map(([stream]) => setOf(this.byStream, stream));
  }
}

function setOf<K, T>(map: Map<K, Set<T>>, key: K): Set<T> {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = new Set<T>();
  map.set(key, made);
  return made;
}
