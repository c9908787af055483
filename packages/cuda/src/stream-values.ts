import type { CallOf } from '@griddep/program';
import type { NodeWork } from './commands.ts';

/** A wait for a value in memory, or its write, of which CUDA's own ordering knows nothing (rule 5.13). */
export function valueWork({ kind, flag, value }: CallOf<'streamWaitValue'>): Extract<NodeWork, { flag: string }> {
  return { type: kind === 'streamWaitValue' ? 'waitValue' : 'writeValue', flag, value };
}
