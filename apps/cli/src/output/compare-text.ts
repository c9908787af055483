import type { MeasuredCase, SimulatedInterval } from '@griddep/hardware';
import { renderColumns } from './columns.ts';

/**
 * Starts and ends of operations, measured and simulated, us from the first start of each, and how far they are apart; those
 * furthest apart where there are more than `rows`.
 */
export function compareTable(
  { operations }: MeasuredCase,
  simulated: readonly SimulatedInterval[],
  rows: number,
): string {
  const [first, own] = [Math.min(...operations.map((o) => o.start)), Math.min(...simulated.map((s) => s.startNs))];
  const lines = operations.map((o, i) => {
    const s = simulated[i] as SimulatedInterval;
    const [start, end] = [o.start - first, o.end - first];
    const [startOff, endOff] = [s.startNs - own - start, s.endNs - own - end];
    return { label: o.label, start, end, startOff, endOff, stale: o.stale, i };
  });
  const off = ({ startOff, endOff }: (typeof lines)[number]) => Math.max(Math.abs(startOff), Math.abs(endOff));
  const shown = [...lines]
    .sort((a, b) => off(b) - off(a))
    .slice(0, rows)
    .sort((a, b) => a.start - b.start || a.i - b.i);
  const isStale = shown.some(({ stale }) => stale > 0);
  const text = renderColumns(
    [
      { title: 'operation' },
      { title: 'measured us', align: 'right' },
      { title: 'to', align: 'right' },
      { title: 'simulated us', align: 'right' },
      { title: 'to', align: 'right' },
      { title: 'start off', align: 'right' },
      { title: 'end off', align: 'right' },
      ...(isStale ? [{ title: 'stale words', align: 'right' as const }] : []),
    ],
    shown.map((l) => [
      l.label,
      number(l.start),
      number(l.end),
      number(l.start + l.startOff),
      number(l.end + l.endOff),
      signed(l.startOff),
      signed(l.endOff),
      ...(isStale ? [l.stale > 0 ? String(l.stale) : ''] : []),
    ]),
  );
  const left = lines.length - shown.length;
  return left === 0 ? text : `${text}and ${left} that are less far off\n`;
}

function number(ns: number): string {
  return (ns / 1000).toFixed(2);
}

function signed(ns: number): string {
  return `${ns < 0 ? '-' : '+'}${number(Math.abs(ns))}`;
}
