import { PS_PER_NS } from '../instants.ts';
import type { OperationKind } from '../operation.ts';
import type { Timeline } from '../timeline.ts';
import { busySms } from './busy-sms.ts';
import { concurrency } from './concurrency.ts';
import { makespan } from './makespan.ts';
import {
  byDevice,
  type ConsecutivePairStatistics,
  consecutivePairs,
  overlappingPairs,
  type PairStatistics,
  runningKernels,
} from './pairs.ts';
import { type SlowdownStatistics, slowdownStatistics } from './slowdown.ts';
import { type StreamStatistics, streamStatistics } from './streams.ts';

export interface StatisticsOptions {
  /** At most how many pairs of each sort to return; all are counted. Default 1000. */
  readonly pairs?: number;
}

/** One device; times in ns. */
export interface DeviceStatistics {
  readonly device: number;
  readonly name: string;
  readonly makespan: number;
  /** How long at least one kernel ran. */
  readonly busyTime: number;
  /** Average number of running kernels while any ran. */
  readonly concurrency: number;
  readonly peakConcurrency: number;
  /** SMs with at least one block: `busy[i]` from `time[i]` on. */
  readonly busySms: {
    readonly mean: number;
    readonly peak: number;
    readonly time: readonly number[];
    readonly busy: readonly number[];
  };
}

/** What a timeline comes to. A plain record; all times in ns. */
export interface TimelineStatistics {
  /** First start to last end of the operations on devices. */
  readonly makespan: number;
  readonly start: number;
  readonly end: number;
  /** When all host threads had returned from their last call. */
  readonly hostTotal: number;
  /** How many operations of each kind. */
  readonly operations: Readonly<Partial<Record<OperationKind, number>>>;
  readonly devices: readonly DeviceStatistics[];
  readonly streams: readonly StreamStatistics[];
  /** Each kernel with the next one of its stream. */
  readonly consecutive: ConsecutivePairStatistics;
  /** Any two kernels of a device that ran at once. */
  readonly overlapping: PairStatistics;
  readonly slowdown: readonly SlowdownStatistics[];
}

/** All statistics of a timeline, in O(n log n) of its operations (and blocks). */
export function statistics(timeline: Timeline, options: StatisticsOptions = {}): TimelineStatistics {
  const { pairs = 1000 } = options;
  const kernels = runningKernels(timeline);
  const span = makespan(timeline);
  const operations: Partial<Record<OperationKind, number>> = {};
  for (const { kind } of timeline.operations) operations[kind] = (operations[kind] ?? 0) + 1;
  return {
    makespan: span.makespan / PS_PER_NS,
    start: span.start / PS_PER_NS,
    end: span.end / PS_PER_NS,
    hostTotal: timeline.hostTotal / PS_PER_NS,
    operations,
    devices: deviceStatistics(timeline, kernels),
    streams: streamStatistics(timeline),
    consecutive: consecutivePairs(timeline, kernels, pairs),
    overlapping: overlappingPairs(timeline, kernels, pairs),
    slowdown: slowdownStatistics(timeline),
  };
}

function deviceStatistics(timeline: Timeline, kernels: readonly number[]): DeviceStatistics[] {
  const kernelsOf = new Map(
    byDevice(timeline, kernels).map((list) => [timeline.operations[list[0] ?? 0]?.device, list]),
  );
  return timeline.devices.map(({ name }, device) => {
    const { mean, peak, busyTime } = concurrency(timeline, kernelsOf.get(device) ?? []);
    const sms = busySms(timeline, device);
    return {
      device,
      name,
      makespan: makespan(timeline, device).makespan / PS_PER_NS,
      busyTime: busyTime / PS_PER_NS,
      concurrency: mean,
      peakConcurrency: peak,
      busySms: { mean: sms.mean, peak: sms.peak, time: sms.time.map((time) => time / PS_PER_NS), busy: sms.busy },
    };
  });
}
