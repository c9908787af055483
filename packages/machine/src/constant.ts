/** What a constant rests on. */
export type Provenance = 'measured' | 'documented' | 'assumed';
export type Unit = 'ns' | 'us' | 'B/s' | '1';

/** A constant of hardware with its origin. `low` and `high` are its spread, or the range an assumption leaves. */
export interface Constant {
  readonly value: number;
  readonly unit: Unit;
  readonly status: Provenance;
  /** Where it comes from: a case name, a document, or the reason of the assumption. */
  readonly source: string;
  readonly low?: number;
  readonly high?: number;
}
