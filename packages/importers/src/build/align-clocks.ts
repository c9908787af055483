import type { Findings } from '../findings.ts';
import type { Trace } from '../trace.ts';

/** Files further apart than this were not taken together, or on clocks that have nothing in common; ps. */
const APART = 60e12;

/**
 * What to add to the times of each trace of a set so that all count from one instant, ps; the first operation or call
 * of all is then at 0.
 */
export function clockOffsets(traces: readonly Trace[], findings: Findings): number[] {
  const firsts = traces.map((trace) =>
    Math.min(trace.calls[0]?.start ?? Number.POSITIVE_INFINITY, trace.operations[0]?.start ?? 0),
  );
  const epoch = traces[0]?.epoch ?? 0n;
  const begins = traces.map((trace, i) => Number(trace.epoch - epoch) * 1000 + (firsts[i] as number));
  const earliest = Math.min(...begins);
  return traces.map((trace, i) => {
    const begin = (begins[i] as number) - earliest;
    if (begin <= APART) return begin - (firsts[i] as number);
    findings.add('assumed', 'files whose clocks have nothing in common: they begin together', trace.file);
    return -(firsts[i] as number);
  });
}
