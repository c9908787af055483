import { statistics, type Timeline, type TimelineStatistics } from '@griddep/timeline';
import { renderColumns } from './columns.ts';
import { us } from './number-format.ts';

type Figure = readonly [name: string, value: number, format: (value: number) => string];

/** The statistics of two timelines side by side, and B less A. */
export function statisticsDiffText(before: Timeline, after: Timeline): string {
  const [a, b] = [before, after].map((timeline) => figures(statistics(timeline, { pairs: 0 }))) as [Figure[], Figure[]];
  const ofB = new Map(b.map((figure) => [figure[0], figure]));
  const names = [...new Set([...a, ...b].map(([name]) => name))];
  const ofA = new Map(a.map((figure) => [figure[0], figure]));
  const rows = names.map((name) => {
    const [x, y] = [ofA.get(name), ofB.get(name)];
    const format = (x ?? y)?.[2] ?? String;
    const change = x === undefined || y === undefined ? Number.NaN : y[1] - x[1];
    const signed = Number.isNaN(change) || change === 0 ? '' : `${change > 0 ? '+' : ''}${format(change)}`;
    return [name, ...[x, y].map((figure) => (figure === undefined ? '-' : format(figure[1]))), signed];
  });
  const right = (title: string) => ({ title, align: 'right' as const });
  return renderColumns([{ title: 'statistics' }, right('A'), right('B'), right('change')], rows);
}

function figures(stats: TimelineStatistics): Figure[] {
  const time = (ns: number) => us(ns, 2);
  const number = (value: number) => value.toFixed(2);
  const { consecutive, overlapping } = stats;
  const all: Figure[] = [
    ['makespan us', stats.makespan, time],
    ['host total us', stats.hostTotal, time],
    ...Object.entries(stats.operations).map(([kind, count]): Figure => [`operations: ${kind}`, count, String]),
    ...stats.devices.flatMap(({ device, busyTime, concurrency, peakConcurrency, busySms }): Figure[] => [
      [`device ${device}: busy us`, busyTime, time],
      [`device ${device}: kernels at once, mean`, concurrency, number],
      [`device ${device}: kernels at once, most`, peakConcurrency, String],
      [`device ${device}: busy SMs, mean`, busySms.mean, number],
      [`device ${device}: busy SMs, most`, busySms.peak, String],
    ]),
  ];
  if (consecutive.count > 0) {
    all.push(['gap between kernels of a stream, median us', consecutive.gap.median, time]);
    all.push(['gap between kernels of a stream, mean us', consecutive.gap.mean, time]);
  }
  all.push(
    ['overlapping pairs of kernels', overlapping.count, String],
    ['their overlap us', overlapping.overlap, time],
  );
  for (const { resource, mean, most, lostTime } of stats.slowdown) {
    all.push([`slowdown by ${resource}, mean`, mean, number]);
    all.push([`slowdown by ${resource}, most`, most, number]);
    all.push([`lost to ${resource} us`, lostTime, time]);
  }
  return all;
}
