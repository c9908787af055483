/** Children of a branch: 2 to the power of this. */
const BITS = 3;
const WIDTH = 1 << BITS;
const MASK = WIDTH - 1;

type Branch = readonly unknown[];

/**
 * An immutable map from small integers, which shares what is equal: to set a value copies one path, and to join two
 * that came from one another looks only at where they differ. The value of two is what `join` makes of both; it must be
 * one of them where that is as much.
 */
export class Trie<T> {
  private readonly joinValues: (a: T, b: T) => T;
  /** Levels below the root. */
  private readonly depth: number;
  private readonly root: Branch;

  private constructor(join: (a: T, b: T) => T, depth: number, root: Branch) {
    this.joinValues = join;
    this.depth = depth;
    this.root = root;
  }

  static empty<T>(join: (a: T, b: T) => T): Trie<T> {
    return new Trie(join, 0, []);
  }

  get isEmpty(): boolean {
    return this.root.length === 0;
  }

  get(index: number): T | undefined {
    const { depth } = this;
    if (index >>> (BITS * depth) >= WIDTH) return undefined;
    let branch = this.root;
    for (let level = depth; level > 0; level--) {
      const child = branch[(index >>> (BITS * level)) & MASK];
      if (child === undefined) return undefined;
      branch = child as Branch;
    }
    return branch[index & MASK] as T | undefined;
  }

  /** Holds a value too; itself if that adds nothing. */
  with(index: number, value: T): Trie<T> {
    let { depth, root } = this;
    for (; index >>> (BITS * depth) >= WIDTH; depth++) root = root.length === 0 ? root : [root];
    const made = this.put(root, depth, index, value);
    return made === root ? this : new Trie(this.joinValues, depth, made);
  }

  /** Holds what either holds; one of the two if that is as much. */
  join(other: Trie<T>): Trie<T> {
    if (other === this || other.isEmpty) return this;
    if (this.isEmpty) return other;
    const [deep, shallow] = this.depth >= other.depth ? [this, other] : [other, this];
    const made = this.mergedBelow(deep.root, shallow.root, deep.depth, deep.depth - shallow.depth);
    if (made === deep.root) return deep;
    return made === shallow.root ? shallow : new Trie(this.joinValues, deep.depth, made);
  }

  private put(branch: Branch, depth: number, index: number, value: T): Branch {
    const at = (index >>> (BITS * depth)) & MASK;
    const before = branch[at];
    const after =
      depth > 0
        ? this.put((before as Branch | undefined) ?? [], depth - 1, index, value)
        : before === undefined
          ? value
          : this.joinValues(before as T, value);
    if (after === before) return branch;
    const copy = branch.slice();
    while (copy.length < at) copy.push(undefined);
    copy[at] = after;
    return copy;
  }

  /** A branch of so many levels, and so many below its first children another. */
  private mergedBelow(branch: Branch, other: Branch, depth: number, below: number): Branch {
    if (below === 0) return this.merged(branch, other, depth);
    const [first, ...others] = branch;
    const after = this.mergedBelow((first as Branch | undefined) ?? [], other, depth - 1, below - 1);
    return after === first ? branch : [after, ...others];
  }

  private merged(a: Branch, b: Branch, depth: number): Branch {
    if (a === b) return a;
    let [isA, isB] = [a.length >= b.length, b.length >= a.length];
    const made: unknown[] = [];
    for (let i = 0; i < a.length || i < b.length; i++) {
      const [ours, theirs] = [a[i], b[i]];
      const both =
        ours === theirs || theirs === undefined
          ? ours
          : ours === undefined
            ? theirs
            : depth > 0
              ? this.merged(ours as Branch, theirs as Branch, depth - 1)
              : this.joinValues(ours as T, theirs as T);
      isA &&= both === ours;
      isB &&= both === theirs;
      made.push(both);
    }
    return isA ? a : isB ? b : made;
  }
}
