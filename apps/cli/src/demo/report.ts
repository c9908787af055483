import { renderColumns } from '../output/columns.ts';
import { signedPercent, us } from '../output/number-format.ts';
import type { ChainTimes } from './chain.ts';
import { MEASURED_LAYERS, type Way } from './ways.ts';

export interface Result {
  readonly way: Way;
  readonly times: ChainTimes;
}

/** Latencies beside the measured ones (where as many layers were measured), and where the gain comes from. */
export function latencyTable(results: readonly Result[], layers: number): string {
  const isMeasured = layers === MEASURED_LAYERS;
  const plain = results[0]?.times;
  const rows = results.map(({ way, times }) => {
    const gain = (plain?.latency ?? 0) - times.latency;
    const measured = way.measuredUs * 1000;
    return [
      way.title,
      us(times.latency),
      ...(isMeasured ? [us(measured), signedPercent(times.latency / measured - 1)] : []),
      ...(times === plain
        ? ['', '', '']
        : [us(gain), us((plain?.idle ?? 0) - times.idle), us((plain?.running ?? 0) - times.running)]),
      us(times.idle),
      us(times.overlapped),
    ];
  });
  const right = (title: string) => ({ title, align: 'right' as const });
  const columns = [
    { title: 'us' },
    right('simulated'),
    ...(isMeasured ? [right('real H200'), right('error')] : []),
    right('gain'),
    right('= fewer gaps'),
    right('+ hidden work'),
    right('gaps left'),
    right('overlapped'),
  ];
  return renderColumns(columns, rows);
}
