import { griddepcontrolProblem } from './griddepcontrol.ts';
import type { Instruction, Operand, SourcePlace } from './instruction.ts';
import { Locations } from './locations.ts';
import type { PtxFunction, PtxModule } from './module.ts';
import { END, LineTable, Scanner, shown } from './scanner.ts';
import { Scopes } from './scopes.ts';

const MOST_DEPTH = 1000;
const NAME = /^[A-Za-z_$%]/;

/** The body of a function: instructions whose targets are indices into them. */
export interface Body {
  readonly instructions: readonly Instruction[];
  /** Variables that the body declares, and the state space of each: `local`, `shared`, `param`. */
  readonly variables: ReadonlyMap<string, string>;
}

/** Line tables by module, for the bodies of one are read one after another. */
const tables = new WeakMap<PtxModule, LineTable>();

/**
 * Reads the instructions of a function. Opcodes are taken as they come, but griddepcontrol strictly (rule 7.12).
 *
 * @throws PtxError with file, line and column
 */
export function readBody(fn: PtxFunction, module: PtxModule): Body {
  if (fn.body === undefined) return { instructions: [], variables: new Map() };
  let lines = tables.get(module);
  if (lines === undefined) {
    lines = new LineTable(module.text);
    tables.set(module, lines);
  }
  const scanner = new Scanner(module.text, module.file, lines, fn.body.from, fn.body.to);
  return new BodyReader(scanner, module).read();
}

interface Pending {
  readonly index: number;
  readonly scope: number;
  readonly labels: readonly string[];
  readonly at: number;
}

class BodyReader {
  readonly #scanner: Scanner;
  readonly #module: PtxModule;
  readonly #scopes = new Scopes();
  readonly #instructions: Instruction[] = [];
  readonly #variables = new Map<string, string>();
  readonly #locations: Locations;
  /** `.branchtargets` by their own label. */
  readonly #lists = new Map<string, readonly string[]>();
  readonly #branches: Pending[] = [];
  readonly #opcodes = new Map<string, readonly string[]>();
  readonly #single = new Map<string, Operand>();
  #source: SourcePlace | undefined;

  constructor(scanner: Scanner, module: PtxModule) {
    this.#scanner = scanner;
    this.#module = module;
    this.#locations = new Locations(module.sources);
  }

  read(): Body {
    const scanner = this.#scanner;
    for (let token = scanner.next(); token !== END; token = scanner.next()) {
      const at = scanner.start;
      if (token === '{') {
        this.#scopes.open();
        if (this.#scopes.depth > MOST_DEPTH) throw scanner.error(`more than ${MOST_DEPTH} braces in each other`, at);
      } else if (token === '}') {
        if (!this.#scopes.close()) throw scanner.error('"}" closes nothing', at);
      } else if (token === ';') continue;
      else if (token === '.loc') this.#source = this.#locations.read(scanner.restOfLine()) ?? this.#source;
      else if (token === '.file' || token === '#') scanner.restOfLine();
      else if (token === '.section') this.#skipSection();
      else if (token.startsWith('.')) this.#readDirective(token, at);
      else if (token === '@') this.#readGuarded(at);
      else if (NAME.test(token)) {
        if (scanner.take(':')) this.#readLabel(token, at);
        else this.#readInstruction(token, at, undefined);
      } else throw scanner.error(`expected an instruction, found ${shown(token)}`, at);
    }
    this.#resolve();
    return { instructions: this.#instructions, variables: this.#variables };
  }

  #skipSection(): void {
    for (let token = this.#scanner.next(); token !== '{'; token = this.#scanner.next()) {
      if (token === END || token === ';') throw this.#scanner.error('a .section without "{"', this.#scanner.start);
    }
    this.#scanner.skipBraces();
  }

  #readLabel(name: string, at: number): void {
    const scanner = this.#scanner;
    const next = scanner.peek();
    if (next === '.branchtargets' || next === '.calltargets') {
      scanner.next();
      this.#lists.set(name, this.#readNames(at));
    } else if (!this.#scopes.label(name, this.#instructions.length)) {
      throw scanner.error(`the label ${shown(name)} stands here twice`, at);
    }
  }

  #readNames(at: number): string[] {
    const names: string[] = [];
    for (let token = this.#scanner.next(); token !== ';'; token = this.#scanner.next()) {
      if (token === END) throw this.#scanner.error('";" is missing', at);
      if (token !== ',') names.push(token);
    }
    return names;
  }

  #readDirective(directive: string, at: number): void {
    const words = this.#readWords(at);
    if (directive === '.reg') {
      for (let i = 0; i < words.length; i++) {
        const word = words[i] ?? '';
        if (NAME.test(word)) this.#scopes.declare(words[i + 1] === '<' ? `${word}<` : word);
      }
    } else if (/^\.(?:local|shared|param|global|const)\b/.test(directive)) {
      const name = words.find((word) => NAME.test(word));
      if (name !== undefined) this.#variables.set(name, directive.slice(1).split('::')[0] ?? '');
    }
  }

  #readWords(at: number): string[] {
    const words: string[] = [];
    for (let token = this.#scanner.next(); token !== ';'; token = this.#scanner.next()) {
      if (token === END) throw this.#scanner.error('";" is missing', at);
      words.push(token);
    }
    return words;
  }

  #readGuarded(at: number): void {
    const scanner = this.#scanner;
    const negated = scanner.take('!');
    const register = scanner.next();
    if (!NAME.test(register)) throw scanner.error(`expected a predicate, found ${shown(register)}`, scanner.start);
    const opcode = scanner.next();
    if (!NAME.test(opcode)) throw scanner.error(`expected an instruction, found ${shown(opcode)}`, scanner.start);
    this.#readInstruction(opcode, at, { register: this.#scopes.register(register), negated });
  }

  #readInstruction(opcode: string, at: number, guard: Instruction['guard']): void {
    const scanner = this.#scanner;
    let op = this.#opcodes.get(opcode);
    if (op === undefined) {
      op = opcode.split('.');
      this.#opcodes.set(opcode, op);
    }
    const operands = this.#readOperands(opcode, at);
    if (op[0] === 'griddepcontrol') {
      const problem = griddepcontrolProblem(op, operands.length, this.#module);
      if (problem !== undefined) throw scanner.error(problem, at);
    }
    const index = this.#instructions.length;
    if (op[0] === 'bra' || op[0] === 'brx') {
      const words = operands.flatMap((operand) => operand.words);
      const label = words.at(op[0] === 'bra' ? 0 : -1);
      if (label === undefined) throw scanner.error(`${opcode} without a target`, at);
      this.#branches.push({ index, scope: this.#scopes.current, labels: [label], at });
    }
    const source = this.#source === undefined ? {} : { source: this.#source };
    this.#instructions.push({
      op,
      ...(guard === undefined ? {} : { guard }),
      operands,
      ...scanner.place(at),
      ...source,
    });
  }

  #readOperands(opcode: string, at: number): Operand[] {
    const scanner = this.#scanner;
    const operands: Operand[] = [];
    let words: string[] = [];
    let offset = 0;
    let memory = false;
    let inVector = 0;
    let bracket = 0;
    let sign = 1;
    const close = () => {
      if (words.length > 0 || memory) operands.push(this.#operand(memory, words, offset));
      words = [];
      offset = 0;
      memory = false;
    };
    for (let token = scanner.next(); token !== ';'; token = scanner.next()) {
      if (token === END) throw scanner.error(`";" is missing after ${shown(opcode)}`, at);
      if (token === '[') {
        bracket += 1;
        memory = true;
      } else if (token === ']') bracket -= 1;
      else if (token === '{' || token === '(') inVector += 1;
      else if (token === '}' || token === ')') inVector -= 1;
      else if (token === ',') {
        if (inVector === 0 && bracket === 0) close();
      } else if (token === '-') sign = -1;
      else if (token === '+') sign = 1;
      else if (bracket > 0 && inVector === 0 && words.length > 0 && /^\d/.test(token)) {
        offset += sign * Number(token.replace(/U$/, ''));
        sign = 1;
      } else if (/^[\w$%.]/.test(token)) {
        words.push(this.#operandWord(token, sign));
        sign = 1;
      }
      if (inVector < 0 || bracket < 0) throw scanner.error(`${shown(token)} closes nothing`, scanner.start);
    }
    if (inVector > 0 || bracket > 0) throw scanner.error('a bracket is never closed', at);
    close();
    return operands;
  }

  /** Most operands are one register, which is kept once. */
  #operand(memory: boolean, words: readonly string[], offset: number): Operand {
    const [only] = words;
    if (memory || words.length !== 1 || only === undefined) return { memory, words, offset };
    let known = this.#single.get(only);
    if (known === undefined) {
      known = { memory, words, offset };
      this.#single.set(only, known);
    }
    return known;
  }

  #operandWord(token: string, sign: number): string {
    if (/^\d/.test(token)) return sign < 0 ? `-${token}` : token;
    // A component of a vector register, but not of a special one such as %tid.x.
    const [base = token] = token.split('.');
    const unique = this.#scopes.register(base);
    return unique === base ? token : unique;
  }

  #resolve(): void {
    for (const { index, scope, labels, at } of this.#branches) {
      const all = labels.flatMap((label) => this.#lists.get(label) ?? [label]);
      const targets = all.map((label) => {
        const found = this.#scopes.find(label, scope);
        if (found === undefined) throw this.#scanner.error(`there is no label ${shown(label)}`, at);
        return found;
      });
      const instruction = this.#instructions[index];
      if (instruction !== undefined) this.#instructions[index] = { ...instruction, targets: [...new Set(targets)] };
    }
  }
}
