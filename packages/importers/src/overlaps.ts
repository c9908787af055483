import type { Trace, TraceOperation } from './trace.ts';

/** Two operations that follow each other in one stream and were seen to overlap. */
export interface Overlap {
  readonly first: TraceOperation;
  readonly second: TraceOperation;
  /** ps */
  readonly length: number;
}

/**
 * Operations of one stream that overlap by more than the file's times are rounded by. A stream's kernels do so only
 * under programmatic dependent launch, which traces do not tell in words.
 */
export function streamOverlaps(trace: Trace): Overlap[] {
  const overlaps: Overlap[] = [];
  for (const operations of byStream(trace.operations).values()) {
    for (let i = 1; i < operations.length; i++) {
      const [first, second] = [operations[i - 1] as TraceOperation, operations[i] as TraceOperation];
      const length = first.end - second.start;
      if (length > trace.resolution) overlaps.push({ first, second, length });
    }
  }
  return overlaps;
}

/** Operations by stream, each in order of start; whole graphs are left out. */
export function byStream(operations: readonly TraceOperation[]): Map<string, TraceOperation[]> {
  const streams = new Map<string, TraceOperation[]>();
  for (const operation of operations) {
    if (operation.kind === 'graph') continue;
    const key = streamKey(operation);
    const list = streams.get(key);
    if (list === undefined) streams.set(key, [operation]);
    else list.push(operation);
  }
  return streams;
}

export function streamKey({
  process,
  device,
  context,
  stream,
}: Pick<TraceOperation, 'process' | 'device' | 'context' | 'stream'>): string {
  return `${process} ${device} ${context} ${stream}`;
}
