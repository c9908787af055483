import { flowsOf } from '../flows.ts';
import type { PanelLayout, Row, Scale } from './layout.ts';
import { element, round } from './xml.ts';

/** From what satisfied the last condition to the start of what it held up, one arrow per operation. */
export function causeArrows(panel: PanelLayout, scale: Scale, marker: string): string[] {
  const rows = panel.groups.flatMap((group) => group.rows);
  const byLane = new Map(rows.map((row) => [row.lane, row]));
  const rowOf = panel.lanes.map((lane) => byLane.get(lane));
  const inside = (time: number) => time >= scale.from && time <= scale.to;
  return flowsOf(panel.timeline, panel.lanes).flatMap(({ kind, from, fromTime, to, toTime }) => {
    const source = rowOf[from.lane];
    const target = rowOf[to.lane];
    if (source === undefined || target === undefined || !inside(fromTime) || !inside(toTime)) return [];
    const d = path(source, target, scale.x(fromTime), scale.x(toTime));
    if (d === undefined) return [];
    const isLaunch = kind === 'host';
    return element('path', {
      d,
      fill: 'none',
      stroke: isLaunch ? '#8c959f' : '#424a53',
      'stroke-width': isLaunch ? 0.9 : 1.1,
      'stroke-dasharray': isLaunch ? '3 2' : undefined,
      'marker-end': `url(#${marker})`,
    });
  });
}

/** Undefined where the arrow would be too short to see. */
function path(source: Row, target: Row, x0: number, x1: number): string | undefined {
  const middle = (row: Row) => row.top + row.height / 2;
  const y1 = middle(target);
  if (source === target) return x1 - x0 < 7 ? undefined : `M${round(x0)} ${round(y1)}H${round(x1 - 1)}`;
  const isDown = source.top < target.top;
  const y0 = isDown ? source.top + source.height - 4 : source.top + 4;
  if (x1 - x0 >= 10) {
    return `M${round(x0)} ${round(y0)}C${round(x0)} ${round(y1)} ${round(x0)} ${round(y1)} ${round(x1 - 1)} ${round(y1)}`;
  }
  const edge = isDown ? target.top + 4 : target.top + target.height - 4;
  return `M${round(x0)} ${round(y0)}L${round(x1 + 1)} ${round(edge)}`;
}
