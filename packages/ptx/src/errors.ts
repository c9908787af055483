/** PTX that cannot be read. `message` is complete: `file:line:column: problem`. */
export class PtxError extends Error {
  override readonly name = 'PtxError';
  readonly problem: string;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;

  constructor(problem: string, file: string, line: number, column: number) {
    super(`${file}:${line}:${column}: ${problem}`);
    this.problem = problem;
    this.file = file;
    this.line = line;
    this.column = column;
  }
}
