import type { Cohort } from './residency.ts';

/** Blocks in the order in which they ended; times in ps. */
export interface LoggedBlocks {
  readonly op: Uint32Array;
  readonly block: Uint32Array;
  readonly sm: Uint16Array;
  readonly start: Float64Array;
  readonly end: Float64Array;
}

/** Start, end and SM of every block, for those who ask. */
export class BlockLog {
  private columns = newColumns(1024);
  private length = 0;

  /** The blocks of a cohort have ended. */
  add(cohort: Cohort, end: number): void {
    const { grid, group, blocks, start } = cohort;
    const from = this.length;
    this.length += blocks.length;
    if (this.length > this.columns.op.length) this.grow();
    const { columns } = this;
    columns.op.fill(grid.operation.op, from, this.length);
    columns.block.set(blocks, from);
    columns.sm.set(group.sms, from);
    columns.start.fill(start, from, this.length);
    columns.end.fill(end, from, this.length);
  }

  /** What has been added so far, as views. */
  logged(): LoggedBlocks {
    const { columns, length } = this;
    return {
      op: columns.op.subarray(0, length),
      block: columns.block.subarray(0, length),
      sm: columns.sm.subarray(0, length),
      start: columns.start.subarray(0, length),
      end: columns.end.subarray(0, length),
    };
  }

  private grow(): void {
    const old = this.columns;
    this.columns = newColumns(2 * this.length);
    this.columns.op.set(old.op);
    this.columns.block.set(old.block);
    this.columns.sm.set(old.sm);
    this.columns.start.set(old.start);
    this.columns.end.set(old.end);
  }
}

function newColumns(capacity: number): LoggedBlocks {
  return {
    op: new Uint32Array(capacity),
    block: new Uint32Array(capacity),
    sm: new Uint16Array(capacity),
    start: new Float64Array(capacity),
    end: new Float64Array(capacity),
  };
}
