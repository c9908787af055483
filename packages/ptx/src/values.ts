import type { ControlFlow } from './control-flow.ts';
import { type Definitions, results, sources } from './definitions.ts';
import type { FlatKernel } from './flatten.ts';
import type { Instruction, Operand } from './instruction.ts';
import type { PtxFunction, PtxModule } from './module.ts';
import { type Origin, type OriginSet, OriginSets } from './origins.ts';
import { isSpecial } from './special-registers.ts';
import { CONSTANT, either, equalValues, GIVEN, type Place, VARIES, type Value, type Varies } from './value.ts';
import { variation } from './variation.ts';

const MOST_PASSES = 40;
const WIDE = /^[busf]?64$|^b128$/;
/** Results of these on pointers are no pointers; what is added to them may be one. */
const SCALING = new Set(['mul', 'mul24', 'shl', 'shr', 'div', 'rem', 'popc', 'clz', 'bfind']);
const FUSED = new Set(['mad', 'mad24', 'madc', 'fma']);
const KEEPING = new Set([
  ...['mov', 'add', 'addc', 'sub', 'subc', 'cvta', 'cvt', 'selp', 'min', 'max', 'and', 'or', 'xor', 'lop3', 'prmt'],
  ...['shf', 'bfi', 'slct', 'shfl', 'mapa', 'bfe', 'createpolicy'],
]);

/** What each value of a kernel derives from, and how it differs among threads. */
export class Values {
  readonly sets = new OriginSets();
  readonly #kernel: PtxFunction;
  readonly #module: PtxModule;
  readonly #flat: FlatKernel;
  readonly #flow: ControlFlow;
  readonly #definitions: Definitions;
  readonly #parameters: ReadonlyMap<string, number>;
  readonly #anyPointer: boolean;
  readonly #values: (Value | undefined)[];
  /** Variables in local and parameter space by `name@offset`, and by name where the offset is unknown. */
  readonly #cells = new Map<string, Value>();
  readonly #cellsOf = new Map<string, Set<string>>();
  /** By register, any of the values that it is given anywhere. */
  readonly #anywhere = new Map<string, { readonly value: Value | undefined; readonly control: Varies }>();
  #threadDependent: ArrayLike<Varies> = [];

  constructor(kernel: PtxFunction, module: PtxModule, flat: FlatKernel, flow: ControlFlow, definitions: Definitions) {
    this.#kernel = kernel;
    this.#module = module;
    this.#flat = flat;
    this.#flow = flow;
    this.#definitions = definitions;
    this.#parameters = new Map(kernel.parameters.map(({ name }, i) => [name, i]));
    this.#anyPointer = kernel.parameters.some(({ pointer }) => pointer);
    this.#values = new Array(flat.instructions.length);
  }

  /**
   * Goes over all instructions until nothing changes.
   * @param threadDependent by block, how the branches that decide whether it runs differ among threads
   */
  settle(threadDependent: ArrayLike<Varies>): void {
    this.#threadDependent = threadDependent;
    for (let pass = 0, changed = true; changed && pass < MOST_PASSES; pass++) {
      changed = false;
      this.#flat.instructions.forEach((instruction, at) => {
        if (this.#flow.reachable[this.#flow.blockOf[at] ?? -1] !== true) return;
        if (this.#store(instruction, at)) changed = true;
        if (results(instruction).length === 0) return;
        const value = either(this.#values[at], this.#evaluate(instruction, at), this.sets);
        if (equalValues(value, this.#values[at])) return;
        this.#values[at] = value;
        for (const register of results(instruction)) this.#note(register, at, value);
        changed = true;
      });
    }
  }

  /** What the guard of an instruction is, where it has one. */
  guard(at: number): Value | undefined {
    const { guard } = this.#flat.instructions[at] ?? {};
    return guard === undefined ? undefined : this.#word(guard.register, at);
  }

  /** The address that an operand names. */
  address({ words, offset }: Operand, at: number): Value | undefined {
    const [base] = words;
    return base === undefined ? undefined : moved(this.#word(base, at), offset);
  }

  #evaluate(instruction: Instruction, at: number): Value | undefined {
    const { op } = instruction;
    const operands = sources(instruction);
    if (op[0] === 'ld' || op[0] === 'ldu') return this.#load(instruction, at);
    const values = operands.map((operand) => this.#operand(operand, at));
    const [root = ''] = op;
    const varies = root === 'atom' || root === 'clock' ? VARIES.byLane : variation(instruction, values);
    const loads = ['atom', 'multimem', 'tex', 'tld4', 'suld'].includes(root);
    const threadOnly = !loads && values.every((value) => value?.threadOnly ?? true);
    const place = this.#place(instruction, values);
    // Before an operand is known, so is nothing of the result.
    if (values.length > 0 && values.every((value) => value === undefined)) return undefined;
    return {
      origins: this.#origins(instruction, values),
      varies,
      threadOnly,
      ...(place === undefined ? {} : { place }),
    };
  }

  #origins({ op }: Instruction, values: readonly (Value | undefined)[]): OriginSet {
    const [root = ''] = op;
    const union = (list: readonly (Value | undefined)[]) =>
      list.reduce((all, value) => this.sets.union(all, value?.origins ?? 0), 0);
    if (SCALING.has(root)) return 0;
    if (FUSED.has(root)) return union(values.slice(2, 3));
    if (!KEEPING.has(root)) return 0;
    const all = union(root === 'selp' || root === 'slct' ? values.slice(0, 2) : values);
    // What is 32 bits wide holds no pointer to global memory.
    const narrow = root === 'cvt' ? !WIDE.test(op.at(-1) ?? '') : !op.some((part) => WIDE.test(part)) && root !== 'mov';
    return narrow ? this.sets.map(all, 'narrow', (origin) => (isOnChip(origin) ? this.sets.of(origin) : 0)) : all;
  }

  #place({ op, operands }: Instruction, values: readonly (Value | undefined)[]): Place | undefined {
    const [a, b] = values;
    switch (op[0]) {
      case 'mov':
      case 'cvta':
      case 'cvt':
        return values.length === 1 ? a?.place : undefined;
      case 'add':
      case 'sub': {
        const [place, added] = a?.place === undefined ? [b?.place, operands[1]] : [a.place, operands[2]];
        if (place === undefined) return undefined;
        const word = added?.words[0] ?? '';
        const value = /^-?\d/.test(word) ? Number(word.replace(/U$/, '')) : Number.NaN;
        return { variable: place.variable, offset: place.offset + (op[0] === 'sub' ? -value : value) };
      }
      case 'mad': {
        const place = values[2]?.place;
        return place && { variable: place.variable, offset: Number.NaN };
      }
      default:
        return undefined;
    }
  }

  #load(instruction: Instruction, at: number): Value | undefined {
    const { op } = instruction;
    const operand = sources(instruction).find(({ memory }) => memory);
    if (operand === undefined) return GIVEN;
    const address = this.address(operand, at);
    if (address === undefined) return undefined;
    const wide = op.some((part) => WIDE.test(part));
    const loaded: Value = {
      origins: 0,
      varies: address.varies === 2 ? VARIES.byLane : address.varies,
      threadOnly: false,
    };
    const { place } = address;
    if (place !== undefined && this.#isCell(place.variable)) {
      const kept = this.#read(place);
      if (kept !== undefined) return kept;
    }
    if (!wide) return loaded;
    const origins = this.sets.map(address.origins, 'loaded', (origin) => this.sets.of(throughOf(origin)));
    return { ...loaded, origins: origins === 0 ? this.sets.of({ kind: 'unknown' }) : origins };
  }

  /** Keeps what is written to a variable in local or parameter space. Returns whether that was news. */
  #store(instruction: Instruction, at: number): boolean {
    if (instruction.op[0] !== 'st') return false;
    const [target, stored] = instruction.operands;
    const place = target === undefined ? undefined : this.address(target, at)?.place;
    if (place === undefined || stored === undefined || !this.#isCell(place.variable)) return false;
    const value = this.#operand(stored, at);
    const key = cellName(place);
    const known = this.#cells.get(key);
    const joined = either(known, value, this.sets);
    if (joined === undefined || equalValues(known, joined)) return false;
    this.#cells.set(key, joined);
    const keys = this.#cellsOf.get(place.variable) ?? new Set();
    this.#cellsOf.set(place.variable, keys.add(key));
    return true;
  }

  #read(place: Place): Value | undefined {
    const all = this.#cellsOf.get(place.variable) ?? [];
    const somewhere = cellName({ variable: place.variable, offset: Number.NaN });
    const keys = Number.isNaN(place.offset) ? all : [cellName(place), somewhere];
    let value: Value | undefined;
    for (const key of keys) value = either(value, this.#cells.get(key), this.sets);
    return value;
  }

  #isCell(variable: string): boolean {
    const space = this.#flat.variables.get(variable);
    return space === 'local' || space === 'param';
  }

  #operand({ words, memory, offset }: Operand, at: number): Value | undefined {
    if (memory) return moved(this.#word(words[0] ?? '', at), offset);
    const [only] = words;
    if (words.length === 1 && only !== undefined) return this.#word(only, at);
    return words.reduce<Value | undefined>((all, word) => either(all, this.#word(word, at), this.sets), undefined);
  }

  #word(word: string, at: number): Value | undefined {
    if (!/^[A-Za-z_$%]/.test(word)) return CONSTANT;
    if (word.startsWith('%') || !this.#isName(word)) {
      return isSpecial(word) ? this.#special(word) : this.#register(word, at);
    }
    const parameter = this.#parameters.get(word);
    if (parameter !== undefined)
      return { ...GIVEN, origins: this.sets.of({ kind: 'parameterAddress', index: parameter }) };
    const space = this.#flat.variables.get(word) ?? this.#module.variables.get(word);
    if (space === undefined) return GIVEN;
    const origins = this.sets.of({ kind: 'variable', name: word, space });
    return { ...CONSTANT, origins, place: { variable: word, offset: 0 } };
  }

  #isName(word: string): boolean {
    return (
      this.#parameters.has(word) ||
      this.#flat.variables.has(word) ||
      this.#module.variables.has(word) ||
      this.#module.functions.has(word)
    );
  }

  #note(register: string, at: number, value: Value | undefined): void {
    const known = this.#anywhere.get(register);
    const control = Math.max(known?.control ?? VARIES.not, this.#control(at)) as Varies;
    this.#anywhere.set(register, { value: either(known?.value, value, this.sets), control });
  }

  /** How it differs among threads whether they execute an instruction. */
  #control(at: number): Varies {
    const guard = this.guard(at)?.varies ?? VARIES.not;
    return Math.max(this.#threadDependent[this.#flow.blockOf[at] ?? 0] ?? 0, guard) as Varies;
  }

  #register(register: string, at: number): Value | undefined {
    const reaching = this.#definitions.reaching(register, at);
    if (reaching === undefined) {
      const any = this.#anywhere.get(register);
      return any?.value && { ...any.value, varies: Math.max(any.value.varies, any.control) as Varies };
    }
    if (reaching.length === 0) return { ...GIVEN, origins: this.sets.of({ kind: 'unknown' }) };
    let value: Value | undefined;
    let control: Varies = VARIES.not;
    for (const definition of reaching) {
      value = either(value, this.#values[definition], this.sets);
      if (reaching.length < 2) continue;
      // Which of several it is depends on the way that a thread took.
      control = Math.max(control, this.#control(definition)) as Varies;
    }
    if (value === undefined || value.varies >= control) return value;
    return { ...value, varies: control };
  }

  #special(word: string): Value {
    if (word === '%tid.x' || word === '%tid') return { ...CONSTANT, varies: VARIES.asThreadIndex };
    if (/^%tid\.[yz]$/.test(word)) {
      const row = this.#kernel.requiredThreads?.[0] ?? 0;
      return { ...CONSTANT, varies: row > 0 && row % 32 === 0 ? VARIES.byWarp : VARIES.byLane };
    }
    if (word === '%warpid') return { ...CONSTANT, varies: VARIES.byWarp };
    if (word === '%laneid' || word.startsWith('%lanemask')) return { ...CONSTANT, varies: VARIES.byLane };
    if (word.startsWith('%clock') || word.startsWith('%globaltimer')) return { ...GIVEN, varies: VARIES.byLane };
    return word === '_' || word === 'WARP_SZ' ? CONSTANT : GIVEN;
  }

  /** Whether a parameter can be a pointer, by its declaration. */
  isPointer(index: number): boolean {
    const parameter = this.#kernel.parameters[index];
    if (parameter === undefined) return false;
    return parameter.array || parameter.pointer || (!this.#anyPointer && WIDE.test(parameter.type));
  }
}

function moved(value: Value | undefined, offset: number): Value | undefined {
  if (value?.place === undefined || offset === 0) return value;
  return { ...value, place: { variable: value.place.variable, offset: value.place.offset + offset } };
}

function cellName({ variable, offset }: Place): string {
  return `${variable}@${offset}`;
}

function isOnChip(origin: Origin): boolean {
  return origin.kind === 'variable' && origin.space !== 'global';
}

/** What a pointer is that was loaded from such a place. */
function throughOf(origin: Origin): Origin {
  if (origin.kind === 'parameterAddress') return { kind: 'parameter', index: origin.index };
  if (origin.kind === 'parameter') return { kind: 'through', index: origin.index };
  return origin.kind === 'through' ? origin : { kind: 'unknown' };
}
