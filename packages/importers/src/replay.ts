import { observe, type Timeline } from '@griddep/timeline';
import type { ImportedProgram } from './import-traces.ts';

/** A trace beside its program simulated unchanged, both as a profiler sees them. Times in ps. */
export interface Replay {
  readonly file: string;
  /** From the first start to the last end on the devices of the trace. */
  readonly traced: number;
  readonly simulated: number;
  /** Simulated over traced, less 1. */
  readonly difference: number;
}

/** How far the simulation of an imported program is from each of its traces. */
export function compareReplay(
  { traces, devices, margin }: Pick<ImportedProgram, 'traces' | 'devices' | 'margin'>,
  timeline: Timeline,
): Replay[] {
  return traces.map(({ file, operations }, i) => {
    const own = new Set(devices[i]);
    const seen = timeline.operations
      .filter(({ device, kind }) => own.has(device) && (kind === 'kernel' || kind === 'copy' || kind === 'memset'))
      .map((operation) => observe(operation, 'profiler', margin));
    const traced = span(operations);
    const simulated = span(seen);
    return { file, traced, simulated, difference: simulated / traced - 1 };
  });
}

function span(intervals: readonly { readonly start: number; readonly end: number }[]): number {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { start, end } of intervals) {
    if (!(start <= end)) continue;
    first = Math.min(first, start);
    last = Math.max(last, end);
  }
  return first <= last ? last - first : 0;
}
