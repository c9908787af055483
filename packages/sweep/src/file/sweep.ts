import type { Value } from '@griddep/program';
import type { Job, Texts } from '../job/job.ts';
import type { Axis } from './axis.ts';
import type { Parameters, Sample } from './sample.ts';
import type { SweepDocument } from './schema.ts';

export interface Recorded {
  readonly name: string;
  /** A statistic of this name, or an expression over statistics and axes. */
  readonly expression: string;
}

/** A sweep that has been read and checked. */
export interface Sweep {
  readonly name: string;
  readonly description: string;
  readonly file: string;
  readonly input: SweepInput;
  /** What jobs refer to. */
  readonly texts: Texts;
  readonly axes: readonly Axis[];
  readonly sample: Sample;
  readonly record: readonly Recorded[];
  /** What a run has a value of: the names recorded, and the statistics. */
  readonly measures: readonly string[];
  readonly minimise: Minimise | undefined;
  readonly sensitivity: { readonly samples: number; readonly seed: number } | undefined;
  readonly plot: NonNullable<SweepDocument['plot']>;
  /** The job of a point. Throws ProgramError where an expression cannot be evaluated. */
  job(parameters: Parameters): Job;
  /** Whether all constraints hold. */
  allows(parameters: Parameters): boolean;
  /** What is recorded of a point. */
  recorded(row: {
    readonly parameters: Parameters;
    readonly statistics: Readonly<Record<string, number>> | undefined;
  }): Readonly<Record<string, Value>>;
}

export interface Minimise {
  readonly of: string;
  /** The parameter that says how large, and so how good and slow, a run is. */
  readonly budget: string;
  readonly from: number;
  readonly to: number;
  /** The share of the points that goes on with a larger budget. */
  readonly keep: number;
}

/** What is simulated: a scenario or the text of a program, with the names of its parameters. */
export type SweepInput =
  | { readonly scenario: string }
  | { readonly file: string; readonly text: string; readonly parameters: readonly string[] };
