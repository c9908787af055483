/** Names of registers and labels in nested braces, where the same name may be declared again. */
export class Scopes {
  readonly #parents: number[] = [-1];
  /** Registers by scope; a name ending in `<` declares that prefix with numbers. */
  readonly #registers: (Set<string> | undefined)[] = [undefined];
  readonly #labels = new Map<string, number>();
  current = 0;

  get depth(): number {
    let depth = 0;
    for (let scope = this.current; scope > 0; scope = this.#parents[scope] ?? 0) depth += 1;
    return depth;
  }

  open(): void {
    this.#parents.push(this.current);
    this.#registers.push(undefined);
    this.current = this.#parents.length - 1;
  }

  /** Returns false where nothing is open. */
  close(): boolean {
    if (this.current === 0) return false;
    this.current = this.#parents[this.current] ?? 0;
    return true;
  }

  /** Registers of the outermost scope keep their names. */
  declare(name: string): void {
    if (this.current === 0) return;
    const known = this.#registers[this.current];
    if (known === undefined) this.#registers[this.current] = new Set([name]);
    else known.add(name);
  }

  /** The name of a register that is unique in its function. */
  register(name: string): string {
    for (let scope = this.current; scope > 0; scope = this.#parents[scope] ?? 0) {
      const known = this.#registers[scope];
      if (known === undefined) continue;
      if (known.has(name) || known.has(`${name.replace(/\d+$/, '')}<`)) return `${name}~${scope}`;
    }
    return name;
  }

  /** Returns false if the label stands in this scope already. */
  label(name: string, index: number): boolean {
    const key = `${this.current}:${name}`;
    if (this.#labels.has(key)) return false;
    this.#labels.set(key, index);
    return true;
  }

  /** Where a label stands that code in this scope names. */
  find(name: string, from: number): number | undefined {
    for (let scope = from; scope >= 0; scope = this.#parents[scope] ?? -1) {
      const index = this.#labels.get(`${scope}:${name}`);
      if (index !== undefined) return index;
    }
    return undefined;
  }
}
