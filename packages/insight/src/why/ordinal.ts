import type { Timeline } from '@griddep/timeline';

/** An operation by what no change of times changes: the thread that called, and its place among that thread's operations. */
export interface Ordinal {
  readonly thread: string;
  readonly ordinal: number;
}

/** Where an operation stands among those of its thread. */
export function ordinalOf({ operations }: Timeline, index: number): Ordinal {
  const thread = operations[index]?.thread ?? '';
  let ordinal = 0;
  for (let i = 0; i < index; i++) if (operations[i]?.thread === thread) ordinal++;
  return { thread, ordinal };
}

/** Index of the operation at a place in another timeline of the program, or -1. */
export function indexOf({ operations }: Timeline, { thread, ordinal }: Ordinal): number {
  let left = ordinal;
  return operations.findIndex((operation) => operation.thread === thread && left-- === 0);
}
