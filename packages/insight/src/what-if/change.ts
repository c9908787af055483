import type { Machine } from '@griddep/machine';
import type { Program } from '@griddep/program';
import type { Assumption, Setting } from './assumption.ts';

/** A program and what it runs on. */
export interface Run {
  readonly program: Program;
  readonly machine: Machine;
}

/** A change of a program, its machine or both. */
export interface Change {
  /** As the user asked for it: `--graph`. */
  readonly name: string;
  /** What it does, in a few words. */
  readonly what: string;
  readonly apply: (run: Run, setting: Setting) => Run;
  readonly assumptions?: readonly Assumption[];
  /** What it costs once, before the work, ps. */
  readonly once?: (run: Run) => number;
  /** What the answer takes for granted beyond numbers, seen from the program before it. */
  readonly notes?: (run: Run) => readonly string[];
}
