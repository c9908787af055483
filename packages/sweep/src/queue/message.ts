import type { Job, Outcome } from '../job/job.ts';

/** What a coordinator puts on the queue: one run. */
export interface Order {
  readonly version: string;
  readonly job: Job;
}

/** What a worker answers. */
export interface Answer {
  readonly version: string;
  readonly outcome: Outcome;
  /** Milliseconds of wall clock. */
  readonly duration: number;
  /** How often the run was begun, from 1. */
  readonly attempt: number;
}

/** The texts that a job refers to. */
export function textKeys({ input, machine }: Job): string[] {
  return [...('text' in input ? [input.text] : []), ...('text' in machine ? [machine.text] : [])];
}
