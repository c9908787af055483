import { Barriers, isBlockBarrier } from './barriers.ts';
import type { ControlFlow } from './control-flow.ts';
import type { Division } from './divergence.ts';
import type { Instruction } from './instruction.ts';
import { VARIES } from './value.ts';
import type { Values } from './values.ts';

/** What holds of a thread at a place on every path to it. */
interface State {
  /** The thread waited, or met at a barrier one that had. */
  readonly covered: boolean;
  /** Some thread of the block is certain to wait before all are here. */
  readonly someone: boolean;
}

/** Blocks looked at for the arms of divisions, in all. */
const MOST_VISITS = 3_000_000;
const NOTHING: State = { covered: false, someone: false };

export function isWait({ op }: Instruction): boolean {
  return op[0] === 'griddepcontrol' && op[1] === 'wait';
}

export function isTrigger({ op }: Instruction): boolean {
  return op[0] === 'griddepcontrol' && op[1] === 'launch_dependents';
}

/** Which instructions stand behind a wait on every path (rules 1.8 and 1.10). */
export class Waiting {
  readonly #instructions: readonly Instruction[];
  readonly #flow: ControlFlow;
  readonly #values: Values;
  readonly #roles: ReadonlyMap<number, readonly Division[]>;
  readonly #blocks: readonly boolean[];
  /** Blocks where arms meet of which one is certain to have waited. */
  readonly #joins = new Map<number, Division[]>();
  #released: ReadonlySet<number> = new Set();
  #entering: ReadonlyMap<number, State> = new Map();
  /** By instruction. */
  readonly #covered: Uint8Array;

  constructor(
    instructions: readonly Instruction[],
    flow: ControlFlow,
    values: Values,
    divisions: readonly Division[],
    roles: ReadonlyMap<number, readonly Division[]>,
  ) {
    this.#instructions = instructions;
    this.#flow = flow;
    this.#values = values;
    this.#roles = roles;
    this.#blocks = flow.blocks.map(({ from, to }) => instructions.slice(from, to).some(concerns));
    this.#findJoins(divisions);
    const barriers = new Barriers(instructions, flow, values);
    // What a barrier passes on may be passed on by another.
    for (let before = -1; before !== this.#released.size; ) {
      before = this.#released.size;
      this.#entering = this.#solve(0, flow.end, undefined);
      const released = barriers.released((at) => this.#isCovered(at));
      this.#released = new Set([...this.#released, ...released]);
    }
    this.#covered = new Uint8Array(instructions.length);
    for (const [block, state] of this.#entering) this.#through(block, state, this.#covered);
  }

  /** Whether the wait is behind a thread at an instruction, on every path. */
  covered(at: number): boolean {
    return this.#covered[at] === 1;
  }

  #isCovered(at: number): boolean {
    const block = this.#flow.blockOf[at] ?? 0;
    const entering = this.#entering.get(block);
    return entering !== undefined && this.#through(block, entering, undefined, at).covered;
  }

  #findJoins(divisions: readonly Division[]): void {
    const waits = new Set<number>();
    this.#instructions.forEach((instruction, at) => {
      if (isWait(instruction)) waits.add(this.#flow.blockOf[at] ?? -1);
    });
    let budget = MOST_VISITS;
    const size = ({ arms }: Division) => arms.reduce((sum, { blocks }) => sum + blocks.size, 0);
    const inner = divisions
      .filter(({ arms, threadOnly, meet }) => threadOnly && meet !== this.#flow.end && arms.length > 1)
      .sort((a, b) => size(a) - size(b));
    for (const division of inner) {
      const { arms, meet } = division;
      budget -= size(division);
      if (budget < 0) break;
      const waited = arms.some(({ first, blocks }) => {
        if (first === meet || !meetsAny(blocks, waits)) return false;
        return this.#solve(first, meet, blocks).get(meet)?.someone === true;
      });
      if (waited) this.#joins.set(meet, [...(this.#joins.get(meet) ?? []), division]);
    }
  }

  /** States at the beginning of blocks from one up to another, within given blocks. */
  #solve(first: number, stop: number, within: ReadonlySet<number> | undefined): Map<number, State> {
    const states = new Map([[first, NOTHING]]);
    const open = [first];
    for (let block = open.pop(); block !== undefined; block = open.pop()) {
      const entering = states.get(block);
      if (block === stop || entering === undefined) continue;
      const leaving = this.#through(block, entering);
      for (const next of this.#flow.blocks[block]?.next ?? []) {
        if (next !== stop && within?.has(next) === false) continue;
        const known = states.get(next);
        const met = this.#isJoin(block, next) ? { ...leaving, someone: true } : leaving;
        const state = known === undefined ? met : both(known, met);
        if (known !== undefined && state.covered === known.covered && state.someone === known.someone) continue;
        states.set(next, state);
        open.push(next);
      }
    }
    return states;
  }

  /** Whether an edge leads from a division, one of whose arms waited, to where its arms meet. */
  #isJoin(from: number, to: number): boolean {
    const divisions = this.#joins.get(to);
    return divisions?.some((d) => d.block === from || d.arms.some(({ blocks }) => blocks.has(from))) === true;
  }

  /**
   * What holds at the end of a block, or before one of its instructions.
   * @param marks gets 1 for each instruction that is covered
   */
  #through(block: number, entering: State, marks?: Uint8Array, before?: number): State {
    const { from = 0, to = 0 } = this.#flow.blocks[block] ?? {};
    if (this.#blocks[block] !== true) {
      if (entering.covered) marks?.fill(1, from, to);
      return entering;
    }
    let { covered, someone } = entering;
    for (let at = from; at < (before ?? to); at++) {
      const instruction = this.#instructions[at];
      if (covered && marks !== undefined) marks[at] = 1;
      if (instruction === undefined || !concerns(instruction)) continue;
      if (isWait(instruction)) {
        const guard = this.#values.guard(at);
        if (instruction.guard === undefined) covered = true;
        // Of a guard that the thread index decides, some thread of the block is chosen.
        if (guard === undefined || (guard.threadOnly && guard.varies !== VARIES.not)) someone = true;
      } else if (this.#released.has(at)) covered = true;
      else if (someone && instruction.guard === undefined && !this.#roles.has(block) && isBlockBarrier(instruction)) {
        covered = true;
      }
    }
    return { covered, someone: someone || covered };
  }
}

function meetsAny(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  for (const one of small) if (large.has(one)) return true;
  return false;
}

function both(a: State, b: State): State {
  return { covered: a.covered && b.covered, someone: a.someone && b.someone };
}

function concerns({ op }: Instruction): boolean {
  return op[0] === 'griddepcontrol' || op[0] === 'bar' || op[0] === 'barrier' || op[0] === 'mbarrier';
}
