import type { ControlFlow } from './control-flow.ts';
import type { Instruction, Operand } from './instruction.ts';

/** Blocks looked at for one register at one place, and in all. */
const MOST_BLOCKS = 64;
const MOST_STEPS = 1_000_000;
/** Instructions whose first operand, though a register, is read. */
const NO_RESULT = new Set([
  ...['st', 'red', 'bar', 'barrier', 'bra', 'brx', 'call', 'ret', 'exit', 'trap', 'griddepcontrol', 'membar', 'fence'],
  ...['prefetch', 'prefetchu', 'cp', 'discard', 'applypriority', 'setmaxnreg', 'nanosleep', 'pmevent', 'stmatrix'],
  ...['tensormap', 'stackrestore', 'brkpt'],
]);

/** What an instruction writes: registers. */
export function results({ op, operands }: Instruction): readonly string[] {
  const first = operands[0];
  if (first === undefined || first.memory || NO_RESULT.has(op[0] ?? '')) return [];
  return first.words;
}

/** Operands that an instruction reads. */
export function sources(instruction: Instruction): readonly Operand[] {
  return results(instruction).length === 0 ? instruction.operands : instruction.operands.slice(1);
}

/** Where registers get their values. */
export class Definitions {
  readonly #instructions: readonly Instruction[];
  readonly #flow: ControlFlow;
  readonly #all = new Map<string, number[]>();
  readonly #entering = new Map<string, readonly number[] | undefined>();
  #steps = 0;

  constructor(instructions: readonly Instruction[], flow: ControlFlow) {
    this.#instructions = instructions;
    this.#flow = flow;
    instructions.forEach((instruction, i) => {
      if (flow.reachable[flow.blockOf[i] ?? -1] !== true) return;
      for (const register of results(instruction)) {
        const known = this.#all.get(register);
        if (known === undefined) this.#all.set(register, [i]);
        else if (known.at(-1) !== i) known.push(i);
      }
    });
  }

  /**
   * Instructions whose result a register may hold when instruction `at` reads it; undefined for any that writes it, where
   * following the ways there would take long.
   */
  reaching(register: string, at: number): readonly number[] | undefined {
    const all = this.#all.get(register) ?? [];
    if (all.length < 2) return all;
    const block = this.#flow.blockOf[at] ?? 0;
    const own = this.#within(all, block, at);
    if (own.complete) return own.found;
    const entering = this.#atEntry(register, all, block);
    return own.found.length === 0 || entering === undefined ? entering : [...new Set([...own.found, ...entering])];
  }

  /** Definitions in a block before an instruction, the last first; complete once one is not guarded. */
  #within(all: readonly number[], block: number, before: number): { found: number[]; complete: boolean } {
    const found: number[] = [];
    const from = this.#flow.blocks[block]?.from ?? 0;
    for (let i = lowerBound(all, before) - 1; i >= 0 && found.length < MOST_BLOCKS; i--) {
      const definition = all[i] ?? 0;
      if (definition < from) break;
      found.push(definition);
      if (this.#instructions[definition]?.guard === undefined) return { found, complete: true };
    }
    return { found, complete: false };
  }

  #atEntry(register: string, all: readonly number[], block: number): readonly number[] | undefined {
    const key = `${register} ${block}`;
    if (this.#entering.has(key)) return this.#entering.get(key);
    if (this.#steps > MOST_STEPS) return undefined;
    const found = new Set<number>();
    const seen = new Set<number>();
    const open = [...(this.#flow.blocks[block]?.previous ?? [])];
    for (let previous = open.pop(); previous !== undefined; previous = open.pop()) {
      if (seen.has(previous) || this.#flow.reachable[previous] !== true) continue;
      seen.add(previous);
      this.#steps += 1;
      if (seen.size > MOST_BLOCKS) {
        this.#entering.set(key, undefined);
        return undefined;
      }
      const { to = 0, previous: more = [] } = this.#flow.blocks[previous] ?? {};
      const own = this.#within(all, previous, to);
      for (const definition of own.found) found.add(definition);
      if (!own.complete) open.push(...more);
    }
    const list = [...found];
    this.#entering.set(key, list);
    return list;
  }
}

/** Index of the first number that is not below a value. */
function lowerBound(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
