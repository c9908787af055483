import type { Declared, PtxFunction, PtxModule, PtxParameter } from './module.ts';
import { END, Scanner, shown } from './scanner.ts';

const SPACES = new Set(['global', 'shared', 'const', 'local', 'param', 'tex']);
const INDEPENDENT = /\/\/[ \t]*griddep:[ \t]*independent[ \t]+([^\n]*)/g;
const MOST_FUNCTIONS = 100_000;

/**
 * Reads what a PTX text declares; bodies stay unread.
 *
 * @param file name for messages
 * @throws PtxError with file, line and column
 */
export function readModule(text: string, file: string): PtxModule {
  const scanner = new Scanner(text, file);
  const found = new ModuleReader(scanner);
  found.read();
  return found.module();
}

class ModuleReader {
  readonly #scanner: Scanner;
  readonly #sources = new Map<number, string>();
  readonly #functions = new Map<string, PtxFunction>();
  readonly #variables = new Map<string, string>();
  readonly #declared: Declared[];
  #version: PtxModule['version'] | undefined;
  #target: { name: string; offset: number } | undefined;

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
    this.#declared = declaredIn(scanner, 0, scanner.text.length);
  }

  module(): PtxModule {
    const scanner = this.#scanner;
    if (this.#version === undefined) throw scanner.error('no .version: this is no PTX', 0);
    if (this.#target === undefined) throw scanner.error('no .target', 0);
    const { name, offset } = this.#target;
    const functions = [...this.#functions.values()];
    const inside = new Set(functions.flatMap(({ independent }) => independent));
    return {
      file: scanner.file,
      text: scanner.text,
      version: this.#version,
      target: name,
      capability: Number(/^sm_(\d+)[af]?$/.exec(name)?.[1] ?? 0),
      targetPlace: scanner.place(offset),
      sources: this.#sources,
      functions: this.#functions,
      variables: this.#variables,
      independent: this.#declared.filter((d) => !inside.has(d)),
    };
  }

  read(): void {
    const scanner = this.#scanner;
    for (let token = scanner.next(); token !== END; token = scanner.next()) {
      const at = scanner.start;
      if (token === '.version') this.#readVersion();
      else if (this.#version === undefined) throw scanner.error('no .version first: this is no PTX', at);
      else if (token === '.target') this.#readTarget();
      else if (token === '.address_size') scanner.next();
      else if (token === '.file') this.#readFile();
      else if (token === '.loc' || token === '#' || token === '@') scanner.restOfLine();
      else if (token === '.section') this.#skipSection();
      else if (token === ';') continue;
      else if (token.startsWith('.')) this.#readDeclaration(token);
      else throw scanner.error(`expected a directive, found ${shown(token)}`, at);
    }
  }

  #readVersion(): void {
    const token = this.#scanner.next();
    const [, major, minor] = /^(\d+)\.(\d+)$/.exec(token) ?? [];
    if (major === undefined || minor === undefined) {
      throw this.#scanner.error(`expected a version such as 8.7, found ${shown(token)}`, this.#scanner.start);
    }
    this.#version = { major: Number(major), minor: Number(minor) };
  }

  #readTarget(): void {
    const scanner = this.#scanner;
    do {
      const name = scanner.next();
      if (!/^\w+$/.test(name)) throw scanner.error(`expected a target, found ${shown(name)}`, scanner.start);
      if (this.#target === undefined && name.startsWith('sm_')) this.#target = { name, offset: scanner.start };
    } while (scanner.take(','));
  }

  #readFile(): void {
    const [, number, name] = /^\s*(\d+)\s+"([^"]*)"/.exec(this.#scanner.restOfLine()) ?? [];
    if (number !== undefined && name !== undefined) this.#sources.set(Number(number), name);
  }

  #skipSection(): void {
    const scanner = this.#scanner;
    for (let token = scanner.next(); token !== '{'; token = scanner.next()) {
      if (token === END || token === ';') throw scanner.error('a .section without "{"', scanner.start);
    }
    scanner.skipBraces();
  }

  /** Linkage and state space up to `.entry`, `.func`, or the end of a variable or another directive. */
  #readDeclaration(first: string): void {
    const scanner = this.#scanner;
    const begin = scanner.start;
    let space = '';
    let name = '';
    for (let token = first; ; token = scanner.next()) {
      if (token === END) throw scanner.error(`${shown(first)} never ends: ";" is missing`, begin);
      if (token === '.entry' || token === '.func') {
        this.#readFunction(token === '.entry' ? 'entry' : 'func');
        return;
      }
      if (token === ';') break;
      if (token === '{') scanner.skipBraces();
      else if (token.startsWith('.') && SPACES.has(spaceOf(token))) space = spaceOf(token);
      else if (name === '' && space !== '' && /^[A-Za-z_$%]/.test(token)) name = token;
    }
    if (name !== '') this.#variables.set(name, space);
  }

  #readFunction(kind: PtxFunction['kind']): void {
    const scanner = this.#scanner;
    const results = scanner.peek() === '(' ? this.#readParameters() : [];
    const name = scanner.next();
    const at = scanner.start;
    if (!/^[A-Za-z_$%][\w$%]*$/.test(name)) throw scanner.error(`expected a name, found ${shown(name)}`, at);
    const parameters = scanner.peek() === '(' ? this.#readParameters() : [];
    let requiredThreads: number[] | undefined;
    for (let token = scanner.next(); ; token = scanner.next()) {
      if (token === END) throw scanner.error(`${kind} ${shown(name)} has neither a body nor ";"`, at);
      if (token === ';' || token === '{') {
        const place = scanner.place(at);
        const opened = scanner.start + 1;
        const body = token === '{' ? { body: { from: opened, to: scanner.skipBraces() } } : {};
        const independent = declaredBetween(this.#declared, scanner, at, body.body?.to ?? at);
        const threads = requiredThreads === undefined ? {} : { requiredThreads };
        this.#add({ kind, name, parameters, results, ...threads, ...place, ...body, independent }, at);
        return;
      }
      if (token === '.reqntid') requiredThreads = this.#readNumbers();
    }
  }

  #add(found: PtxFunction, at: number): void {
    const known = this.#functions.get(found.name);
    if (known?.body !== undefined && found.body !== undefined) {
      throw this.#scanner.error(`${found.name} has a body already, in line ${known.line}`, at);
    }
    if (this.#functions.size >= MOST_FUNCTIONS) {
      throw this.#scanner.error(`more than ${MOST_FUNCTIONS} functions`, at);
    }
    if (known?.body === undefined) this.#functions.set(found.name, found);
  }

  #readNumbers(): number[] {
    const numbers: number[] = [];
    do {
      const token = this.#scanner.next();
      const value = Number(token);
      if (!Number.isInteger(value)) {
        throw this.#scanner.error(`expected a number, found ${shown(token)}`, this.#scanner.start);
      }
      numbers.push(value);
    } while (this.#scanner.take(','));
    return numbers;
  }

  #readParameters(): PtxParameter[] {
    const scanner = this.#scanner;
    scanner.expect('(');
    const begin = scanner.start;
    const parameters: PtxParameter[] = [];
    let words: string[] = [];
    let array = false;
    const close = () => {
      const name = words.findLast((word) => /^[A-Za-z_$%]/.test(word));
      const type = words.find((word) => /^\.(?:[usbf]\d+|pred|texref|samplerref|surfref)/.test(word));
      if (name === undefined) return;
      parameters.push({ name, type: type?.slice(1) ?? '', pointer: words.includes('.ptr'), array });
    };
    for (let token = scanner.next(); ; token = scanner.next()) {
      if (token === END || token === ';' || token === '{') throw scanner.error('"(" is never closed', begin);
      if (token === ',' || token === ')') {
        close();
        words = [];
        array = false;
        if (token === ')') return parameters;
      } else if (token === '[') array = true;
      else words.push(token);
    }
  }
}

/** `.shared::cta` is shared. */
function spaceOf(token: string): string {
  return token.slice(1).split('::')[0] ?? '';
}

/** What comments `// griddep: independent NAME, …` name. */
function declaredIn(scanner: Scanner, from: number, to: number): Declared[] {
  const { text } = scanner;
  // Most files have none, and this is the quickest way to know.
  if (!text.includes('griddep:')) return [];
  return [...text.slice(from, to).matchAll(INDEPENDENT)].flatMap((match) => {
    const place = scanner.place(from + match.index);
    return (match[1] ?? '')
      .split(/[\s,]+/)
      .filter((name) => name !== '')
      .map((name) => ({ name, ...place }));
  });
}

function declaredBetween(declared: readonly Declared[], scanner: Scanner, from: number, to: number): Declared[] {
  if (declared.length === 0) return [];
  const first = scanner.place(from).line;
  const last = scanner.place(to).line;
  return declared.filter(({ line }) => line >= first && line <= last);
}
