import type { CopyKind } from '@griddep/program';
import type { TraceWait } from '../trace.ts';

/** Stands for no event. */
export const NO_EVENT = 0xffffffff;
/** NVTX ranges of a thread: pushed and popped, or begun and ended. */
export const NVTX_RANGES = new Set([59, 60, 70, 71]);
export const COPIES: ReadonlyMap<number, CopyKind> = new Map([
  [1, 'hostToDevice'],
  [2, 'deviceToHost'],
  [3, 'hostToDevice'],
  [4, 'deviceToHost'],
  [5, 'deviceToDevice'],
  [6, 'deviceToDevice'],
  [7, 'deviceToDevice'],
  [8, 'deviceToDevice'],
  [9, 'hostToHost'],
  [10, 'peer'],
  [11, 'hostToDevice'],
  [12, 'deviceToHost'],
  [13, 'deviceToDevice'],
]);
export const WAITS: ReadonlyMap<number, TraceWait['kind']> = new Map([
  [1, 'event'],
  [2, 'streamWait'],
  [3, 'stream'],
  [4, 'context'],
]);
