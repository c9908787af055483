import { readFileSync } from 'node:fs';
import type { Trace } from './trace.ts';
import { ownPath, traceAt } from './trace-files.fixture.ts';

/** Times of a step between two events without a profiler, us, on a host whose core nothing else used. */
export interface UnprofiledTime {
  /** Median of the medians of `runs` processes, and the least and the most of these. */
  readonly gpuUs: number;
  readonly low: number;
  readonly high: number;
  /** What the host's calls for the step took. */
  readonly hostUs: number;
  readonly runs: number;
}

const { us } = JSON.parse(readFileSync(ownPath('unprofiled').replace(/\.gz$/, ''), 'utf8')) as {
  us: Record<string, UnprofiledTime>;
};

/** Of a trace of two steps among the fixtures, by its name without rank. */
export function unprofiledTime(name: string): UnprofiledTime {
  const found = us[name];
  if (found === undefined) throw new Error(`${name} was not measured`);
  return found;
}

export function fixtureTrace(name: string): Promise<Trace> {
  return traceAt(ownPath(name));
}
