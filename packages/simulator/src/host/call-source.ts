import type { CudaError, Issued } from '@griddep/cuda';
import type { Call, CallTable } from '@griddep/program';

/** A call that a host thread makes, with the author's id of it, the ranges it lies in and where it stands. */
export interface IssuedCall {
  readonly call: Call;
  readonly label: string | undefined;
  readonly path: string;
  readonly origin: string;
  /** Why it fails before the runtime sees it. */
  readonly refused?: CudaError | undefined;
  /** Told what the runtime made of it. */
  readonly answered?: (issued: Issued) => void;
}

/** What one host thread does next: a suspendable source of calls. */
export interface CallSource {
  /**
   * The next call, or undefined at the end; a promise if it is not known yet, and is to be asked for when that settles.
   * Asked only after the one before has returned, with the time.
   */
  next(now: number): IssuedCall | undefined | Promise<unknown>;
}

/** The calls of a program file in order. NVTX ranges become part of the path of what they enclose. */
export class TableSource implements CallSource {
  private readonly table: CallTable;
  private at = 0;

  constructor(table: CallTable) {
    this.table = table;
  }

  next(): IssuedCall | undefined {
    if (this.at >= this.table.length) return undefined;
    const i = this.at++;
    const origin = this.table.origin(i);
    return {
      call: this.table.at(i),
      label: this.table.label(i),
      path: this.table.path(i),
      origin: origin === undefined ? '' : `${origin.file}:${origin.line}:${origin.column}`,
    };
  }
}
