import { type JSONVisitor, type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';
import { type Path, ProgramError } from './errors.ts';

export interface Place {
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
  /** The source text there, shortened. */
  readonly text: string;
}

/** Most levels of lists and maps in a file. */
export const DEEPEST = 100;

interface Frame {
  readonly array: boolean;
  /** Whether the path to here is the beginning of the target. */
  readonly onTarget: boolean;
  readonly calls: boolean;
  readonly keys: Set<string>;
  key: string | number;
}

/**
 * Walks JSON text once: finds the first syntax error, duplicate key or too deep nesting (ProgramError with its place),
 * the places of all elements of lists under the key `calls` in document order, and the place nearest to a target path.
 */
export class JsonScan implements JSONVisitor {
  /** Line and column in turn. */
  readonly calls: number[] = [];
  found: Place = { line: 1, column: 1, text: '' };
  private readonly text: string;
  private readonly file: string;
  private readonly target: Path | undefined;
  private readonly atKey: boolean;
  private readonly frames: Frame[] = [];

  constructor(text: string, file: string, target?: Path, atKey = false) {
    this.text = text;
    this.file = file;
    this.target = target;
    this.atKey = atKey;
    visit(text, this, { disallowComments: true });
  }

  readonly onObjectBegin = (offset: number, _length: number, line: number, column: number): void => {
    this.enter(false, offset, line, column);
  };
  readonly onArrayBegin = (offset: number, _length: number, line: number, column: number): void => {
    this.enter(true, offset, line, column);
  };
  readonly onObjectEnd = (): void => {
    this.frames.pop();
  };
  readonly onArrayEnd = (): void => {
    this.frames.pop();
  };
  readonly onLiteralValue = (_value: unknown, offset: number, _length: number, line: number, column: number): void => {
    this.value(offset, line, column);
  };
  readonly onObjectProperty = (key: string, offset: number, _length: number, line: number, column: number): void => {
    const frame = this.frames.at(-1) as Frame;
    if (frame.keys.has(key)) this.fail(`duplicate key ${JSON.stringify(key)}`, offset, line, column, key);
    frame.keys.add(key);
    frame.key = key;
    const target = this.target;
    if (target !== undefined && this.atKey && frame.onTarget) {
      if (this.frames.length === target.length && target[this.frames.length - 1] === key) {
        this.found = this.place(offset, line, column);
      }
    }
  };
  readonly onError = (error: ParseErrorCode, offset: number, length: number, line: number, column: number): void => {
    const what = printParseErrorCode(error)
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase();
    const offending = this.text.slice(offset, offset + Math.min(length, 40));
    const shown = offending === '' ? '' : `, got ${JSON.stringify(offending)}`;
    this.fail(`not valid JSON: ${what}${shown}`, offset, line, column, offending);
  };

  private enter(array: boolean, offset: number, line: number, column: number): void {
    const parent = this.frames.at(-1);
    const onTarget = this.value(offset, line, column);
    if (this.frames.length >= DEEPEST) {
      this.fail(`nested more than ${DEEPEST} levels deep`, offset, line, column, this.text.slice(offset, offset + 1));
    }
    const calls = array && parent !== undefined && parent.key === 'calls';
    this.frames.push({ array, onTarget, calls, keys: new Set(), key: -1 });
  }

  /** Takes note of a value; returns whether the target lies in it. */
  private value(offset: number, line: number, column: number): boolean {
    const frame = this.frames.at(-1);
    if (frame?.array === true) {
      frame.key = (frame.key as number) + 1;
      if (frame.calls) this.calls.push(line + 1, column + 1);
    }
    const { target } = this;
    if (target === undefined) return false;
    if (frame !== undefined && !(frame.onTarget && target[this.frames.length - 1] === frame.key)) return false;
    if (!this.atKey || this.frames.length < target.length) this.found = this.place(offset, line, column);
    return true;
  }

  private place(offset: number, line: number, column: number): Place {
    return { line: line + 1, column: column + 1, text: snippet(this.text, offset) };
  }

  private fail(problem: string, _offset: number, line: number, column: number, offending: string): never {
    throw new ProgramError(problem, { file: this.file, line: line + 1, column: column + 1, offending });
  }
}

/** The token or line that begins at an offset. */
export function snippet(text: string, offset: number): string {
  const line = /^[^\r\n]{0,60}/.exec(text.slice(offset, offset + 60))?.[0] ?? '';
  const quoted = /^"(?:[^"\\]|\\.)*"/.exec(line)?.[0];
  return quoted ?? line.replace(/[\s,\]}].*$/, '');
}
