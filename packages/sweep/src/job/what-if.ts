import type { Machine } from '@griddep/machine';
import type { Program } from '@griddep/program';

/** What a change makes of a program and a machine. */
export interface Changed {
  readonly program: Program;
  readonly machine: Machine;
}

/** A what-if question as an axis asks it: the value is the axis's. */
export type Change = (before: Changed, value: number | string | boolean) => Changed;

/** The changes that `varies: change.NAME` can name. */
const CHANGES: Readonly<Record<string, Change>> = {};

export function changeNames(): readonly string[] {
  return Object.keys(CHANGES);
}

export function applyChange(before: Changed, name: string, value: number | string | boolean): Changed {
  const change = CHANGES[name];
  if (change === undefined) throw new Error(`no change is called "${name}"`);
  return change(before, value);
}
