import { createHash } from 'node:crypto';
import type { Value } from '@griddep/program';
import canonicalize from 'canonicalize';
import type { MachineChange } from './machine-change.ts';

/** A text that jobs refer to by its SHA-256: a program or a machine. */
export interface Text {
  readonly file: string;
  readonly text: string;
}
export type Texts = ReadonlyMap<string, Text>;

/** One simulation, as plain data that means the same everywhere. */
export interface Job {
  readonly input: { readonly scenario: string } | { readonly text: string };
  /** The program's parameters, as `--set` takes them. */
  readonly settings: Readonly<Record<string, string>>;
  /** With these parameters in place of the others the same is simulated again, to compare with. */
  readonly reference?: Readonly<Record<string, string>>;
  readonly machine: { readonly name: string } | { readonly text: string };
  readonly machineChanges: readonly MachineChange[];
  readonly changes: readonly { readonly name: string; readonly value: Value }[];
  readonly workers: string | number;
  /** Also what is unsafe in the program. */
  readonly hazards: boolean;
}

/** What a run came to. Times in ns. */
export type Outcome =
  | { readonly statistics: Readonly<Record<string, number>>; readonly hash: string; readonly basis?: readonly string[] }
  | { readonly error: string };

/** A point of a sweep: what its axes are, and the run that it asks for. */
export interface Point {
  readonly index: number;
  /** SHA-256 of version, parameters and job: two points of one key are one run. */
  readonly key: string;
  readonly parameters: Readonly<Record<string, Value>>;
  readonly job: Job;
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The key of a point. `version` is the simulator's: another one may answer otherwise. */
export function keyOf(version: string, parameters: Point['parameters'], job: Job): string {
  return sha256(canonicalize({ version, parameters, job }) as string);
}
