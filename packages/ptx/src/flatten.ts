import type { Instruction, Operand } from './instruction.ts';
import type { PtxFunction, PtxModule } from './module.ts';
import { type Body, readBody } from './read-body.ts';
import { isSpecial } from './special-registers.ts';

const MOST_INSTRUCTIONS = 400_000;
const MOST_CALL_DEPTH = 16;

/** A kernel with the functions that it calls put in place, so that one control-flow graph shows all. */
export interface FlatKernel {
  readonly instructions: readonly Instruction[];
  readonly variables: ReadonlyMap<string, string>;
  /** Calls whose code is not followed: by pointer, without a body here, recursive, or too much. */
  readonly unfollowed: readonly { readonly name: string; readonly line: number; readonly column: number }[];
}

/** Bodies of the functions of one module, each read once. */
export class Bodies {
  readonly module: PtxModule;
  readonly #read = new Map<string, Body>();

  constructor(module: PtxModule) {
    this.module = module;
  }

  of(fn: PtxFunction): Body {
    // A kernel is looked at once; keeping it would keep the whole file.
    if (fn.kind === 'entry') return readBody(fn, this.module);
    let body = this.#read.get(fn.name);
    if (body === undefined) {
      body = readBody(fn, this.module);
      this.#read.set(fn.name, body);
    }
    return body;
  }

  function(name: string): PtxFunction | undefined {
    const fn = this.module.functions.get(name);
    return fn?.kind === 'func' ? fn : undefined;
  }
}

/** Throws PtxError if a body cannot be read. */
export function flatten(kernel: PtxFunction, bodies: Bodies): FlatKernel {
  const flat = new Flattener(bodies);
  flat.append(bodies.of(kernel), { suffix: '', names: new Map(), callers: [kernel.name], returns: undefined });
  return { instructions: flat.instructions, variables: flat.variables, unfollowed: flat.unfollowed };
}

interface Frame {
  readonly suffix: string;
  /** Variables of the caller that parameters and results of the function stand for. */
  readonly names: ReadonlyMap<string, string>;
  readonly callers: readonly string[];
  /** Collects jumps to where the call returns; absent in the kernel itself. */
  readonly returns: number[] | undefined;
}

class Flattener {
  readonly instructions: Instruction[] = [];
  readonly variables = new Map<string, string>();
  readonly unfollowed: { name: string; line: number; column: number }[] = [];
  readonly #bodies: Bodies;
  #calls = 0;

  constructor(bodies: Bodies) {
    this.#bodies = bodies;
  }

  append(body: Body, frame: Frame): void {
    const rename = renamer(frame, this.#bodies.module);
    for (const [name, space] of body.variables) this.variables.set(rename(name), space);
    /** Index here of each instruction of the body, and of its end. */
    const places: number[] = [];
    const jumps: number[] = [];
    for (const instruction of body.instructions) {
      places.push(this.instructions.length);
      const [root] = instruction.op;
      const own = frame.suffix === '' ? instruction : renamed(instruction, rename);
      if (root === 'call' && this.#inline(own, frame)) continue;
      if (root === 'ret' && frame.returns !== undefined) {
        frame.returns.push(this.instructions.length);
        this.instructions.push({ ...own, op: ['bra'], operands: [] });
        continue;
      }
      if (own.targets !== undefined) jumps.push(this.instructions.length);
      this.instructions.push(own);
    }
    places.push(this.instructions.length);
    for (const index of jumps) {
      const jump = this.instructions[index];
      if (jump?.targets === undefined) continue;
      this.instructions[index] = { ...jump, targets: jump.targets.map((target) => places[target] ?? index) };
    }
  }

  /** Puts the body of a called function here. False if it is not followed. */
  #inline(call: Instruction, frame: Frame): boolean {
    const { name, fn, results, passed } = this.#callee(call);
    const body = fn === undefined || frame.callers.includes(name) ? undefined : this.#bodies.of(fn);
    const fits = this.instructions.length + (body?.instructions.length ?? 0) <= MOST_INSTRUCTIONS;
    if (fn?.body === undefined || body === undefined || !fits || frame.callers.length > MOST_CALL_DEPTH) {
      this.unfollowed.push({ name, line: call.line, column: call.column });
      return false;
    }
    const names = new Map<string, string>();
    fn.parameters.forEach((parameter, i) => {
      names.set(parameter.name, passed[i] ?? '');
    });
    fn.results.forEach((result, i) => {
      names.set(result.name, results[i] ?? '');
    });
    const returns: number[] = [];
    this.#calls += 1;
    // A guarded call may be passed by.
    const skip = call.guard === undefined ? undefined : this.instructions.length;
    if (call.guard !== undefined) {
      const guard = { register: call.guard.register, negated: !call.guard.negated };
      this.instructions.push({ ...call, op: ['bra'], operands: [], guard });
    }
    this.append(body, { suffix: `~c${this.#calls}`, names, callers: [...frame.callers, name], returns });
    const end = this.instructions.length;
    for (const index of skip === undefined ? returns : [skip, ...returns]) {
      const jump = this.instructions[index];
      if (jump !== undefined) this.instructions[index] = { ...jump, targets: [end] };
    }
    return true;
  }

  #callee({ operands }: Instruction) {
    // call (results), function, (parameters): what is left out is empty, and the name is the one of a function.
    const at = operands.findIndex(({ words }) => words.length === 1 && this.#bodies.function(words[0] ?? ''));
    const name = operands[at]?.words[0] ?? 'a function called by pointer';
    return {
      name,
      fn: at < 0 ? undefined : this.#bodies.function(name),
      results: at > 0 ? (operands[0]?.words ?? []) : [],
      passed: at < 0 ? [] : (operands[at + 1]?.words ?? []),
    };
  }
}

/** Registers and variables of a called function get names of their own for each call. */
function renamer(frame: Frame, module: PtxModule): (word: string) => string {
  if (frame.suffix === '') return (word) => word;
  return (word) => {
    const passed = frame.names.get(word);
    if (passed !== undefined) return passed;
    const shared = !/^[A-Za-z_$%]/.test(word) || isSpecial(word);
    return shared || module.variables.has(word) || module.functions.has(word) ? word : `${word}${frame.suffix}`;
  };
}

function renamed(instruction: Instruction, rename: (word: string) => string): Instruction {
  const { guard } = instruction;
  const operands: Operand[] = instruction.operands.map((operand) => ({ ...operand, words: operand.words.map(rename) }));
  return {
    ...instruction,
    operands,
    ...(guard === undefined ? {} : { guard: { ...guard, register: rename(guard.register) } }),
  };
}
