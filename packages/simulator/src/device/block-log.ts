import type { Cohort } from './residency.ts';

/** Start, end and SM of every block, for those who ask. */
export class BlockLog {
  readonly op: number[] = [];
  readonly block: number[] = [];
  readonly sm: number[] = [];
  readonly start: number[] = [];
  readonly end: number[] = [];

  add(cohort: Cohort, end: number): void {
    cohort.blocks.forEach((block, i) => {
      this.op.push(cohort.grid.operation.op);
      this.block.push(block);
      this.sm.push(cohort.group.sms[i] as number);
      this.start.push(cohort.start);
      this.end.push(end);
    });
  }
}
