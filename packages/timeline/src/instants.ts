import type { Operation } from './operation.ts';

/** Names of the instants of an operation, in the order in which they usually come. */
export const INSTANTS = [
  'callBegin',
  'callEnd',
  'enqueue',
  'processing',
  'start',
  'lastStart',
  'firstTrigger',
  'lastTrigger',
  'firstRelease',
  'lastRelease',
  'firstEnd',
  'end',
  'completion',
] as const satisfies readonly (keyof Operation)[];

export type InstantName = (typeof INSTANTS)[number];

export const PS_PER_NS = 1e3;
export const PS_PER_US = 1e6;

/** Picoseconds as microseconds with `digits` decimals; `-` for NaN. */
export function formatUs(picoseconds: number, digits = 3): string {
  return Number.isNaN(picoseconds) ? '-' : (picoseconds / PS_PER_US).toFixed(digits);
}
