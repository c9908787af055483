import type { ControlFlow } from './control-flow.ts';

/** By instruction: whether a path leads from one of some instructions to it, or from it to one of them. */
export class Reach {
  readonly #flow: ControlFlow;
  readonly #first: Float64Array;
  readonly #last: Float64Array;
  /** Blocks that paths enter after passing one, and blocks from whose end one can still come. */
  readonly #after: Uint8Array;
  readonly #before: Uint8Array;

  constructor(flow: ControlFlow, instructions: readonly number[]) {
    this.#flow = flow;
    const count = flow.blocks.length;
    this.#first = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
    this.#last = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
    this.#after = new Uint8Array(count);
    this.#before = new Uint8Array(count);
    const blocks = new Set<number>();
    for (const at of instructions) {
      const block = flow.blockOf[at] ?? -1;
      if (flow.reachable[block] !== true) continue;
      blocks.add(block);
      this.#first[block] = Math.min(this.#first[block] ?? 0, at);
      this.#last[block] = Math.max(this.#last[block] ?? 0, at);
    }
    spread(this.#after, [...blocks], (block) => flow.blocks[block]?.next ?? []);
    spread(this.#before, [...blocks], (block) => flow.blocks[block]?.previous ?? []);
  }

  /** Whether one of them can have been executed before. */
  behind(at: number): boolean {
    const block = this.#flow.blockOf[at] ?? 0;
    return (this.#first[block] ?? 0) < at || this.#after[block] === 1;
  }

  /** Whether one of them can be executed after. */
  ahead(at: number): boolean {
    const block = this.#flow.blockOf[at] ?? 0;
    return (this.#last[block] ?? 0) > at || this.#before[block] === 1;
  }
}

function spread(seen: Uint8Array, from: readonly number[], next: (block: number) => readonly number[]): void {
  const open = from.flatMap(next);
  for (let block = open.pop(); block !== undefined; block = open.pop()) {
    if (seen[block] === 1) continue;
    seen[block] = 1;
    open.push(...next(block));
  }
}
