import { makespan, statistics, type Timeline } from '@griddep/timeline';

/** What is kept of every run, by name, with its unit and meaning. */
export const STATISTICS: Readonly<Record<string, string>> = {
  makespan: 'ns from the first start to the last end of operations on devices',
  hostTotal: 'ns until all host threads had returned from their last call',
  operations: 'operations on devices',
  kernels: 'kernels among them',
  copies: 'copies among them',
  busyTime: 'ns in which at least one kernel of a device ran, summed over the devices',
  concurrency: 'kernels running at once while any ran, mean over the devices that ran any',
  peakConcurrency: 'most kernels that ran at once on one device',
  overlap: 'ns in which any two kernels of a device ran at once, summed over all pairs',
  errors: 'CUDA errors that calls returned',
  stuck: 'threads and operations that can never finish',
  referenceMakespan: 'makespan of the reference, where the sweep has one',
  gain: 'referenceMakespan / makespan',
  hazards: 'unsafe findings, where the sweep asks for hazards',
};

/** The statistics of a timeline that a row holds. */
export function rowStatistics(timeline: Timeline): Record<string, number> {
  const all = statistics(timeline, { pairs: 0 });
  const active = all.devices.filter(({ busyTime }) => busyTime > 0);
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  const onDevices = timeline.operations.filter(({ device }) => device >= 0);
  return {
    makespan: all.makespan,
    hostTotal: all.hostTotal,
    operations: onDevices.length,
    kernels: onDevices.filter(({ kind }) => kind === 'kernel').length,
    copies: onDevices.filter(({ kind }) => kind === 'copy').length,
    busyTime: sum(active.map(({ busyTime }) => busyTime)),
    concurrency: active.length === 0 ? 0 : sum(active.map(({ concurrency }) => concurrency)) / active.length,
    overlap: all.overlapping.overlap,
    peakConcurrency: active.reduce((most, { peakConcurrency }) => Math.max(most, peakConcurrency), 0),
    errors: timeline.errors.length,
    stuck: timeline.stuck.length,
  };
}

export function makespanNs(timeline: Timeline): number {
  return makespan(timeline).makespan / 1000;
}
