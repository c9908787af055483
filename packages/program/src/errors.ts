/** Keys and indices that lead from a program document (or a builder's argument) to the place of a problem. */
export type Path = readonly (string | number)[];

export interface ProblemDetail {
  readonly path?: Path;
  /** True when the key at the end of `path` is wrong rather than its value. */
  readonly atKey?: boolean;
  /** The text that is wrong, as written. */
  readonly offending?: string;
  /** The valid name nearest to it. */
  readonly nearest?: string;
  readonly file?: string;
  /** Counts from 1; absent or 0 when the program was built in code. */
  readonly line?: number;
  readonly column?: number;
}

/** A program that cannot be: one problem, with its place where the program came from a file. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError';
  /** The problem alone, without place and suggestion. */
  readonly problem: string;
  readonly path: Path;
  readonly atKey: boolean;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly offending: string;
  readonly nearest: string | undefined;

  constructor(problem: string, detail: ProblemDetail = {}) {
    const { file = '', line = 0, column = 0, nearest } = detail;
    const place = line > 0 ? `${file || '<text>'}:${line}:${column}: ` : file === '' ? '' : `${file}: `;
    super(`${place}${problem}${nearest === undefined ? '' : ` (did you mean "${nearest}"?)`}`);
    this.problem = problem;
    this.path = detail.path ?? [];
    this.atKey = detail.atKey ?? false;
    this.file = file;
    this.line = line;
    this.column = column;
    this.offending = detail.offending ?? '';
    this.nearest = nearest;
  }

  /** The same problem seen from further out. */
  within(prefix: Path): ProgramError {
    return this.withPath([...prefix, ...this.path]);
  }

  /** The same problem at another path. */
  withPath(path: Path): ProgramError {
    return new ProgramError(this.problem, { ...this.detail(), path });
  }

  /** The same problem with its place in a file. */
  located(file: string, line: number, column: number, offending = this.offending): ProgramError {
    return new ProgramError(this.problem, { ...this.detail(), file, line, column, offending });
  }

  private detail(): ProblemDetail {
    const { path, atKey, offending, file, line, column, nearest } = this;
    return { path, atKey, offending, file, line, column, ...(nearest === undefined ? {} : { nearest }) };
  }
}

/** Runs `body`, and adds `prefix` to the path of a ProgramError that it throws. */
export function inside<T>(prefix: Path, body: () => T): T {
  try {
    return body();
  } catch (error) {
    throw error instanceof ProgramError ? error.within(prefix) : error;
  }
}
