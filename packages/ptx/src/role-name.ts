import type { Access, Analysis } from './analyse.ts';
import type { Division } from './divergence.ts';
import { VARIES } from './value.ts';

/** Names of the threads that get to an access. */
export class RoleNames {
  readonly #analysis: Analysis;
  /** Blocks that hold one of the two instructions. */
  readonly #pdl: readonly number[];
  readonly #separates = new Map<Division, boolean>();

  constructor(analysis: Analysis) {
    const { flow, waits, triggers } = analysis;
    this.#analysis = analysis;
    this.#pdl = [...new Set([...waits, ...triggers].map((at) => flow.blockOf[at] ?? -1))];
  }

  /**
   * The outermost branch that separates the threads of an access from others by warp, or that has a PDL instruction on
   * one of its arms: `branch in line 40 taken`.
   */
  of({ at, roles }: Access): string | undefined {
    const { flat, flow } = this.#analysis;
    const block = flow.blockOf[at] ?? -1;
    let widest = 0;
    let name: string | undefined;
    for (const division of roles) {
      const size = division.arms.reduce((sum, { blocks }) => sum + blocks.size, 0);
      if (size <= widest || (division.varies !== VARIES.byWarp && !this.#isSeparating(division))) continue;
      widest = size;
      const branch = flat.instructions[division.at];
      const arm = division.arms.find(({ blocks }) => blocks.has(block));
      const taken = branch?.targets?.some((target) => flow.blockOf[target] === arm?.first) === true;
      name = `branch in line ${branch?.line ?? 0} ${taken ? 'taken' : 'not taken'}`;
    }
    return name;
  }

  #isSeparating(division: Division): boolean {
    let found = this.#separates.get(division);
    if (found === undefined) {
      found = division.arms.some(({ blocks }) => this.#pdl.some((block) => blocks.has(block)));
      this.#separates.set(division, found);
    }
    return found;
  }
}
