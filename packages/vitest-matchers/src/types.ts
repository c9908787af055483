import type { DurationInput } from '@griddep/program';
import type { HazardOptions } from './hazards.ts';
import type { MachineOption } from './received.ts';

/** What `expect` of a program or timeline has beside. */
export interface GriddepMatchers<R = unknown> {
  /** No race, deadlock or CUDA error by the order that the program guarantees. */
  toBeFreeOfHazards(options?: HazardOptions): R;
  /** Two operations, by label or kernel, run at once for some time. */
  toOverlap(a: string, b: string, options?: MachineOption): R;
  /** All of the one, by label or kernel, are complete before the first of the other starts. */
  toRunBefore(a: string, b: string, options?: MachineOption): R;
  /** All is over in a time from the start of the program, such as `500us`. */
  toFinishWithin(duration: DurationInput, options?: MachineOption): R;
}

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: an interface merges only with the same type parameters
  interface Matchers<T = any> extends GriddepMatchers<T> {}
}
