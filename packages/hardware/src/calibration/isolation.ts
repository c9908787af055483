import type { DeviceTimingName, HostTimingName } from '@griddep/machine';

/** What of a case a constant shows itself in. */
export type Figure =
  /** Placement and makespan on the device. */
  | 'placement'
  /** First start, counted from the zero of the case. */
  | 'first start'
  /** The host's time from the zero to the return of the last synchronise. */
  | 'host total';

/** A constant of the device that a search finds: the value with which the simulation of some cases is least off. */
export interface Searched {
  readonly constant: DeviceTimingName;
  /** Names of the cases that isolate it. */
  readonly cases: RegExp;
  readonly figure?: Figure;
  /** Constants that the same cases decide: those are searched by turns, twice in each round. */
  readonly together?: readonly DeviceTimingName[];
  /** Bounds of the search, where the constant's spread in the base profile is not a sensible start. */
  readonly bounds?: readonly [least: number, most: number];
}

/** A constant of the host that is read off directly: the median of what the calls took. */
export interface ReadOff {
  readonly constant: HostTimingName;
  /** Cases whose calls count, by name. */
  readonly cases: RegExp;
}

/** Constants of one part of the hardware, in the order in which they are found. */
export interface Area {
  readonly area: string;
  readonly searched: readonly Searched[];
  readonly readOff?: readonly ReadOff[];
}
