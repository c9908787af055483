import type { Machine } from '@griddep/machine';
import type { Program } from '@griddep/program';
import type { Node, Site } from './nodes.ts';

/** An error of a call. */
export interface CallError {
  readonly site: Site;
  readonly name: string;
  readonly code: number;
  readonly message: string;
  /** It is of what the call enqueued: a later call returns it. */
  readonly isLater: boolean;
}

/** Two calls of different threads whose order decides what an event stands for, and that nothing orders. */
export interface OpenRecord {
  readonly event: string;
  readonly record: Site;
  readonly use: Site;
}

/** All that a program does, and in which order as far as it says so. */
export interface Recorded {
  readonly program: Program;
  readonly machine: Machine;
  readonly nodes: readonly Node[];
  readonly errors: readonly CallError[];
  readonly openRecords: readonly OpenRecord[];
  /** Host threads that wait for a flag for ever, by the call. */
  readonly stuck: readonly { readonly site: Site; readonly flag: string }[];
  /** Number of timelines: streams, then host threads. */
  readonly timelines: number;
  readonly streamNames: readonly string[];
}
