import { PS_PER_NS } from '../instants.ts';
import type { Timeline } from '../timeline.ts';

/** One stream of one device; times in ns. */
export interface StreamStatistics {
  readonly device: number;
  readonly stream: string;
  readonly operations: number;
  readonly kernels: number;
  /** How long at least one of its operations ran. */
  readonly busyTime: number;
  /** First start and last end. */
  readonly start: number;
  readonly end: number;
}

/** Per stream in order of device and first appearance; only operations that ran on the device, and no graph as a whole. */
export function streamStatistics(timeline: Timeline): StreamStatistics[] {
  const streams = new Map<string, number[]>();
  timeline.operations.forEach(({ device, stream, kind, start, end }, index) => {
    if (device < 0 || kind === 'graph' || !(start <= end)) return;
    const key = `${device} ${stream}`;
    const list = streams.get(key);
    if (list === undefined) streams.set(key, [index]);
    else list.push(index);
  });
  const statistics = [...streams.values()].map((list) => statisticsOf(timeline, list));
  return statistics.sort((a, b) => a.device - b.device);
}

function statisticsOf(timeline: Timeline, indices: readonly number[]): StreamStatistics {
  const operations = indices.flatMap((index) => timeline.operations[index] ?? []).sort((a, b) => a.start - b.start);
  let busyTime = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const operation of operations) {
    busyTime += Math.max(0, operation.end - Math.max(operation.start, end));
    end = Math.max(end, operation.end);
  }
  const first = operations[0];
  return {
    device: first?.device ?? 0,
    stream: first?.stream ?? '',
    operations: operations.length,
    kernels: operations.filter((operation) => operation.kind === 'kernel').length,
    busyTime: busyTime / PS_PER_NS,
    start: (first?.start ?? Number.NaN) / PS_PER_NS,
    end: end / PS_PER_NS,
  };
}
