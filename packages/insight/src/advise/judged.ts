import type { Machine } from '@griddep/machine';
import type { Program } from '@griddep/program';
import { SimulationLimit, simulate } from '@griddep/simulator';
import type { Timeline } from '@griddep/timeline';

/** From when a program is judged. */
export interface Judge {
  /** Id of an operation whose end is the begin: a gate that holds all work back until the host has enqueued it. */
  readonly from?: string;
}

/** A simulated program, and how long it took from end to end. */
export interface Judged {
  readonly timeline: Timeline;
  /**
   * From the first call that gives a device work to the last end, of the host's too; or from the end of the operation
   * that was given to the last end on a device, ps.
   */
  readonly endToEnd: number;
  /** What came before, such as captures and instantiations, ps. */
  readonly before: number;
}

/** @returns undefined where it ends in an error, never ends, or takes too many events */
export function judged(program: Program, machine: Machine, { from }: Judge, maxEvents: number): Judged | undefined {
  let timeline: Timeline;
  try {
    timeline = simulate(program, machine, { maxEvents });
  } catch (error) {
    if (error instanceof SimulationLimit) return undefined;
    throw error;
  }
  if (timeline.stuck.length > 0 || timeline.errors.length > 0) return undefined;
  const on = timeline.operations.filter(({ device, end }) => device >= 0 && !Number.isNaN(end));
  const last = on.reduce((latest, { end }) => Math.max(latest, end), 0);
  const gate = from === undefined ? undefined : on.find(({ id }) => id === from);
  if (gate !== undefined) return { timeline, endToEnd: last - gate.end, before: gate.end };
  const begin = on.reduce((earliest, { callBegin }) => Math.min(earliest, callBegin), Number.POSITIVE_INFINITY);
  const before = Number.isFinite(begin) ? begin : 0;
  return { timeline, endToEnd: Math.max(last, timeline.hostTotal) - before, before };
}
