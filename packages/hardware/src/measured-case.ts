import type { HostTimingName } from '@griddep/machine';
import type { Program } from '@griddep/program';

/** An operation as measured: nanoseconds from the zero of the case. `Lo` and `Hi` are the 10th and 90th percentile. */
export interface MeasuredOperation {
  readonly label: string;
  readonly start: number;
  readonly end: number;
  readonly startLo: number;
  readonly startHi: number;
  readonly endLo: number;
  readonly endHi: number;
  /** Reads that did not see the write they should have seen. */
  readonly stale: number;
}

/** A call whose cost is one of the host's constants, or the time between two calls. */
export type MeasuredCallKind = HostTimingName | 'callGap';

/** How long a call took the host; the median over the runs of the case. */
export interface MeasuredCall {
  readonly kind: MeasuredCallKind;
  readonly durationNs: number;
}

/**
 * The ids of the records before and after an operation. Their stamps count from the stamp of the record `base`, which
 * followed the operation `baseEnd` on the same device.
 */
export interface EventsAround {
  readonly before: string;
  readonly after: string;
  readonly base: string;
  readonly baseEnd: string;
}

/** What the zero of a case, and the instants of its operations, are in a simulated timeline. */
export interface Observation {
  /** Operation whose end is the zero; or whose call's begin is. */
  readonly zero: { readonly operation: string; readonly at: 'end' | 'callBegin' };
  /** Operations that were timed by events around them, by label. */
  readonly events: ReadonlyMap<string, EventsAround>;
  /** Prefix of operation ids in the timeline, for programs that replay a graph. */
  readonly prefix: string;
}

/** A program and what hardware did with it. */
export interface MeasuredCase {
  readonly name: string;
  readonly program: Program;
  /** What measured it: device, driver, date as far as known. */
  readonly measuredBy: string;
  readonly operations: readonly MeasuredOperation[];
  /** The host's view: zero to the return of the last synchronise, ns; NaN where it was not taken. */
  readonly hostTotal: number;
  readonly observation: Observation;
  /** What the host's calls took, where that was taken. */
  readonly calls?: readonly MeasuredCall[];
  /** Why no machine can run it, where its file says so; its program is empty then. */
  readonly refused?: string;
}

/**
 * True if the host had enqueued everything before the device began, so that the device's timeline does not depend on
 * what calls cost.
 */
export function isGated({ observation }: MeasuredCase): boolean {
  return observation.zero.at === 'end';
}

/** Number of devices a case needs: the highest device that its program names, plus one. */
export function devicesOf({ program }: MeasuredCase): number {
  const named = [...program.streams.values(), ...program.events.values(), ...program.buffers.values()];
  return named.reduce((last, { device }) => Math.max(last, device), 0) + 1;
}
