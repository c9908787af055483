import {
  copyEnginesChange,
  devicesChange,
  graphChange,
  launchCostChange,
  pdlChange,
  pinnedChange,
  streamsChange,
  type Change as WhatIfChange,
} from '@griddep/insight/what-if';
import type { Machine } from '@griddep/machine';
import type { Program } from '@griddep/program';
import { SweepError } from '../sweep-error.ts';

/** What a change makes of a program and a machine. */
export interface Changed {
  readonly program: Program;
  readonly machine: Machine;
}

type Value = number | string | boolean;

const PS_PER_US = 1e6;

/**
 * The changes that `varies: change.NAME` can name: those of `griddep whatif`. With false, or 0 for a number of things,
 * nothing changes.
 */
const CHANGES: Readonly<Record<string, (value: Value) => WhatIfChange | undefined>> = {
  graph: (value) => (truth('graph', value) ? graphChange() : undefined),
  /** true for all kernels, or the name of one. */
  pdl: (value) => {
    if (typeof value === 'string') return pdlChange({ kernels: [value] });
    return truth('pdl', value) ? pdlChange({ kernels: 'all' }) : undefined;
  },
  pinned: (value) => (truth('pinned', value) ? pinnedChange() : undefined),
  streams: (value) => counted('streams', value, streamsChange),
  copyEngines: (value) => counted('copyEngines', value, copyEnginesChange),
  devices: (value) => counted('devices', value, devicesChange),
  /** In us. */
  launchCost: (value) => {
    if (typeof value !== 'number' || !(value >= 0)) throw unfit('launchCost', value, 'a number of us');
    return launchCostChange(Math.round(value * PS_PER_US), `${value}us`);
  },
};

export function changeNames(): readonly string[] {
  return Object.keys(CHANGES);
}

/** @throws SweepError for a value that the change cannot take; ProgramError where the program cannot be changed so */
export function applyChange(before: Changed, name: string, value: Value): Changed {
  const change = CHANGES[name];
  if (change === undefined) throw new SweepError(`no change is called "${name}"`);
  return change(value)?.apply(before, 'usual') ?? before;
}

function truth(name: string, value: Value): boolean {
  if (typeof value !== 'boolean') throw unfit(name, value, 'true or false');
  return value;
}

function counted(name: string, value: Value, change: (count: number) => WhatIfChange): WhatIfChange | undefined {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) throw unfit(name, value, 'a whole number');
  return value === 0 ? undefined : change(value);
}

function unfit(name: string, value: Value, wanted: string): SweepError {
  return new SweepError(`change.${name}: ${JSON.stringify(value)} is not ${wanted}`);
}
