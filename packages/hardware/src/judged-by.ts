import type { MeasuredCase } from './measured-case.ts';

/** What a case is judged by. */
export type JudgedBy = 'device intervals' | 'host total';

/** Families whose operations the hardware runs in another order every time. */
const RANDOM_ORDER = /^(concurrent-limit|resident-grids|same-direction-two-streams|fan-out-write)-/;
const PIPELINE = /^pipeline-/;

/**
 * Where the hardware's order is random, medians of single operations mix runs that never were: such cases are judged by
 * the host's time from their zero to the return of the last synchronise. These are the cases of more grids than can be
 * resident, copies that take turns on one engine, and pipelines over several streams.
 */
export function judgedBy({ name, program, hostTotal }: MeasuredCase): JudgedBy {
  if (!Number.isFinite(hostTotal)) return 'device intervals';
  // The stream that holds the gate is one of the program's too.
  const random = RANDOM_ORDER.test(name) || (PIPELINE.test(name) && program.streams.size > 2);
  return random ? 'host total' : 'device intervals';
}
