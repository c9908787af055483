/** Where an address comes from. */
export type Origin =
  /** Value of a kernel parameter. */
  | { readonly kind: 'parameter'; readonly index: number }
  /** Address of a kernel parameter, such as a tensor map given by value. */
  | { readonly kind: 'parameterAddress'; readonly index: number }
  /** A pointer that was loaded from memory which a kernel parameter points to. */
  | { readonly kind: 'through'; readonly index: number }
  /** A variable of the module or function; `space` is global, shared, const, local or param. */
  | { readonly kind: 'variable'; readonly name: string; readonly space: string }
  | { readonly kind: 'unknown' };

/** Number of a set of origins; equal sets have equal numbers, and 0 is the empty one. */
export type OriginSet = number;

/** Sets of origins, each kept once. */
export class OriginSets {
  readonly #origins: Origin[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #sets: (readonly number[])[] = [[]];
  readonly #known = new Map<string, OriginSet>([['', 0]]);
  readonly #unions = new Map<number, OriginSet>();
  readonly #kept = new Map<string, OriginSet>();

  of(origin: Origin): OriginSet {
    const key = JSON.stringify(origin);
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#origins.length;
      this.#origins.push(origin);
      this.#numbers.set(key, number);
    }
    return this.#set([number]);
  }

  union(a: OriginSet, b: OriginSet): OriginSet {
    if (a === b || b === 0) return a;
    if (a === 0) return b;
    const key = Math.min(a, b) * 2 ** 26 + Math.max(a, b);
    let union = this.#unions.get(key);
    if (union === undefined) {
      const numbers = new Set([...(this.#sets[a] ?? []), ...(this.#sets[b] ?? [])]);
      union = this.#set([...numbers].sort((x, y) => x - y));
      this.#unions.set(key, union);
    }
    return union;
  }

  list(set: OriginSet): Origin[] {
    return (this.#sets[set] ?? []).flatMap((number) => this.#origins[number] ?? []);
  }

  /** The union of what each origin becomes; `rule` names the change, which must be the same each time. */
  map(set: OriginSet, rule: string, change: (origin: Origin) => OriginSet): OriginSet {
    if (set === 0) return 0;
    const key = `${rule} ${set}`;
    let mapped = this.#kept.get(key);
    if (mapped === undefined) {
      mapped = this.list(set).reduce((all, origin) => this.union(all, change(origin)), 0);
      this.#kept.set(key, mapped);
    }
    return mapped;
  }

  #set(numbers: readonly number[]): OriginSet {
    const key = numbers.join(' ');
    let set = this.#known.get(key);
    if (set === undefined) {
      set = this.#sets.length;
      this.#sets.push(numbers);
      this.#known.set(key, set);
    }
    return set;
  }
}
