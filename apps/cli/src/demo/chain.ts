import { type Operation, PS_PER_NS, type Timeline } from '@griddep/timeline';

/** What the latency of a chain of kernels consists of, ns. */
export interface ChainTimes {
  /** First block start to last block end. */
  readonly latency: number;
  /** While no kernel of the chain ran: from the end of one to the start of the next. */
  readonly idle: number;
  /** While kernels ran, each counted from the end of the one before it. `latency` is `idle` plus this. */
  readonly running: number;
  /** What a kernel did (or how long it waited) before its wait returned while the one before it still ran, summed. */
  readonly overlapped: number;
}

/** The kernels of the chain's stream in order of start. */
export function chainKernels(timeline: Timeline, stream: string): Operation[] {
  const kernels = timeline.operations.filter((o) => o.kind === 'kernel' && o.stream === stream && o.start <= o.end);
  return kernels.sort((a, b) => a.start - b.start);
}

/** Splits the latency of a chain by its consecutive kernels. */
export function chainTimes(kernels: readonly Operation[]): ChainTimes {
  const [first] = kernels;
  if (first === undefined) return { latency: 0, idle: 0, running: 0, overlapped: 0 };
  let [idle, overlapped, end] = [0, 0, first.end];
  for (const [i, next] of kernels.entries()) {
    const previous = kernels[i - 1];
    if (previous === undefined) continue;
    idle += Math.max(0, next.start - end);
    const released = Number.isNaN(next.firstRelease) ? next.start : next.firstRelease;
    overlapped += Math.max(0, Math.min(released, previous.end) - next.start);
    end = Math.max(end, next.end);
  }
  const latency = end - first.start;
  return {
    latency: latency / PS_PER_NS,
    idle: idle / PS_PER_NS,
    running: (latency - idle) / PS_PER_NS,
    overlapped: overlapped / PS_PER_NS,
  };
}
