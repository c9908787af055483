import { statistics, type Timeline, type TimelineStatistics } from '@griddep/timeline';
import { assumedConstants, basisText } from './basis.ts';
import { renderColumns } from './columns.ts';
import { us } from './number-format.ts';

/** The headline numbers, and what they rest on. */
export function summaryText(timeline: Timeline): string {
  const stats = statistics(timeline, { pairs: 0 });
  const counts = Object.entries(stats.operations).map(([kind, count]) => `${count} ${kind}`);
  const { consecutive, overlapping } = stats;
  const lines = [
    `makespan ${us(stats.makespan)} us  (${basisText(timeline.basis)})`,
    `host total ${us(stats.hostTotal)} us`,
    `operations ${counts.join(', ') || 'none'}`,
  ];
  if (consecutive.count > 0) {
    const { gap } = consecutive;
    lines.push(
      `gaps between kernels of a stream: median ${us(gap.median, 2)} us, ${us(gap.least, 2)} to ${us(gap.most, 2)} us; ` +
        `overlapping pairs ${overlapping.count}, ${us(overlapping.overlap)} us`,
    );
  }
  return `${lines.join('\n')}\n`;
}

/** All statistics as tables, and the constants that are assumed. */
export function statisticsText(timeline: Timeline): string {
  const stats = statistics(timeline, { pairs: 0 });
  const parts = [devices(stats), streams(stats)];
  if (stats.slowdown.length > 0) parts.push(slowdown(stats));
  const assumed = assumedConstants(timeline);
  if (assumed.length > 0) parts.push(`assumed constants:\n${assumed.map((constant) => `  ${constant}\n`).join('')}`);
  return `${parts.join('\n')}\n`;
}

function devices({ devices: list }: TimelineStatistics): string {
  return renderColumns(
    [
      { title: 'device' },
      { title: 'makespan us', align: 'right' },
      { title: 'busy us', align: 'right' },
      { title: 'kernels at once', align: 'right' },
      { title: 'most', align: 'right' },
      { title: 'busy SMs', align: 'right' },
      { title: 'most', align: 'right' },
    ],
    list.map((d) => [
      `${d.device} ${d.name}`,
      us(d.makespan),
      us(d.busyTime),
      d.concurrency.toFixed(2),
      String(d.peakConcurrency),
      d.busySms.mean.toFixed(1),
      String(d.busySms.peak),
    ]),
  );
}

function streams({ streams: list }: TimelineStatistics): string {
  return renderColumns(
    [
      { title: 'stream' },
      { title: 'device', align: 'right' },
      { title: 'operations', align: 'right' },
      { title: 'kernels', align: 'right' },
      { title: 'start us', align: 'right' },
      { title: 'end us', align: 'right' },
      { title: 'busy us', align: 'right' },
    ],
    list.map((s) => [
      s.stream,
      String(s.device),
      String(s.operations),
      String(s.kernels),
      us(s.start),
      us(s.end),
      us(s.busyTime),
    ]),
  );
}

function slowdown({ slowdown: list }: TimelineStatistics): string {
  return renderColumns(
    [
      { title: 'shared resource' },
      { title: 'operations', align: 'right' },
      { title: 'mean factor', align: 'right' },
      { title: 'most', align: 'right' },
      { title: 'lost us', align: 'right' },
    ],
    list.map((s) => [s.resource, String(s.operations), s.mean.toFixed(2), s.most.toFixed(2), us(s.lostTime)]),
  );
}
