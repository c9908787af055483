import { PtxError } from './errors.ts';

/** Blank space and comments. */
const SKIPPED = /(?:[\s]+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
/** A word (opcode, directive, register, name, number), a text in quotes, or one mark. */
const TOKEN = /[\w$%.](?:[\w$%.]|::)*|"[^"\n]*"|[{}()[\],;:@!+\-<>=|*/&~^?#]/y;
/** Whatever matters to the nesting of braces. */
const NESTING = /[{}]|"[^"\n]*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const LONGEST_SHOWN = 40;

export const END = '';

/** Tokens of a PTX text, one at a time; a token is a text, and `start` where the last one began. */
export class Scanner {
  readonly text: string;
  readonly file: string;
  position: number;
  /** Where the token that `next` returned last begins. */
  start = 0;
  readonly #end: number;
  readonly #lines: LineTable;

  constructor(text: string, file: string, lines = new LineTable(text), from = 0, to = text.length) {
    this.text = text;
    this.file = file;
    this.position = from;
    this.#end = to;
    this.#lines = lines;
  }

  /** The next token, END after the last. Throws PtxError for a character that no token begins with. */
  next(): string {
    SKIPPED.lastIndex = this.position;
    SKIPPED.test(this.text);
    // A sticky pattern that can be empty always matches.
    const start = SKIPPED.lastIndex;
    this.start = start;
    if (start >= this.#end) {
      this.start = this.#end;
      this.position = this.#end;
      return END;
    }
    TOKEN.lastIndex = start;
    const found = TOKEN.exec(this.text)?.[0];
    if (found === undefined) throw this.error(`unexpected ${JSON.stringify(this.text.slice(start, start + 1))}`, start);
    this.position = start + found.length;
    return found;
  }

  /** The next token, which stays the next. */
  peek(): string {
    const { position, start } = this;
    const token = this.next();
    this.position = position;
    this.start = start;
    return token;
  }

  /** Takes the next token if it is this one. */
  take(token: string): boolean {
    const { position, start } = this;
    if (this.next() === token) return true;
    this.position = position;
    this.start = start;
    return false;
  }

  expect(token: string): void {
    const found = this.next();
    if (found !== token) throw this.error(`expected "${token}", found ${shown(found)}`, this.start);
  }

  /** The rest of the line, without its comment: `.loc` and `.file` end where their line does. */
  restOfLine(): string {
    const newline = this.text.indexOf('\n', this.position);
    const end = newline < 0 || newline > this.#end ? this.#end : newline;
    const line = this.text.slice(this.position, end);
    this.position = end;
    return line.replace(/\/\/.*/, '');
  }

  /** Moves behind the brace that closes the one just read, and returns where that closing brace is. */
  skipBraces(): number {
    const opened = this.start;
    NESTING.lastIndex = this.position;
    for (let depth = 1; ; ) {
      const match = NESTING.exec(this.text);
      if (match === null || match.index >= this.#end) throw this.error('"{" is never closed', opened);
      if (match[0] === '{') depth += 1;
      if (match[0] === '}') depth -= 1;
      if (depth === 0) {
        this.position = match.index + 1;
        return match.index;
      }
    }
  }

  /** A scanner of a part of the same text. */
  part(from: number, to: number): Scanner {
    return new Scanner(this.text, this.file, this.#lines, from, to);
  }

  place(offset: number): { readonly line: number; readonly column: number } {
    return this.#lines.place(offset);
  }

  error(problem: string, offset: number): PtxError {
    const { line, column } = this.place(offset);
    return new PtxError(problem, this.file, line, column);
  }
}

/** Where the lines of a text begin. */
export class LineTable {
  readonly #starts: Uint32Array;

  constructor(text: string) {
    let count = 1;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
    this.#starts = new Uint32Array(count);
    let line = 1;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts[line++] = at + 1;
  }

  /** Line and column, from 1, of an offset. */
  place(offset: number): { readonly line: number; readonly column: number } {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }
}

/** A token in a message. */
export function shown(token: string): string {
  if (token === END) return 'the end';
  return JSON.stringify(token.length > LONGEST_SHOWN ? `${token.slice(0, LONGEST_SHOWN)}…` : token);
}
