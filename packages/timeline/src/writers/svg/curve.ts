import { type BusySms, busySms } from '../../statistics/busy-sms.ts';
import type { Timeline } from '../../timeline.ts';
import { CURVE_HEIGHT, type Scale } from './layout.ts';
import { label, MUTED } from './text.ts';
import { element, round } from './xml.ts';

/** Busy SMs over time as an area, with the device's number of SMs as full height. */
export function smCurve(timeline: Timeline, device: number, top: number, scale: Scale): string {
  const curve = busySms(timeline, device);
  const full = timeline.devices[device]?.sms || curve.peak || 1;
  const bottom = top + CURVE_HEIGHT;
  const y = (busy: number) => bottom - (Math.min(full, busy) / full) * CURVE_HEIGHT;
  const { left, right } = scale;
  const steps = stepsOf(curve, scale);
  let path = `M${round(left)} ${round(bottom)}`;
  for (const [x, busy] of steps) path += `H${round(x)}V${round(y(busy))}`;
  path += `H${round(right)}V${round(bottom)}Z`;
  return [
    element('rect', { x: left, y: top, width: right - left, height: CURVE_HEIGHT, fill: '#f6f8fa' }),
    element('path', { d: path, fill: '#4477aa', 'fill-opacity': 0.25, stroke: '#4477aa', 'stroke-width': 1 }),
    label(left - 24, top + CURVE_HEIGHT / 2 + 4, 'busy SMs', { colour: MUTED, anchor: 'end' }),
    label(left - 4, top + 8, String(full), { colour: MUTED, size: 9, anchor: 'end' }),
    label(left - 4, bottom, '0', { colour: MUTED, size: 9, anchor: 'end' }),
  ].join('');
}

/** Places (px) where the curve changes, and to what; where there is more than one a pixel, the pixel's mean. */
function stepsOf({ time, busy }: BusySms, scale: Scale): [number, number][] {
  const steps: [number, number][] = [];
  const pixels = Math.ceil(scale.right - scale.left);
  const isDense = time.length > 2 * pixels;
  const area = new Float64Array(isDense ? pixels : 0);
  for (let i = 0; i < time.length; i++) {
    const from = Math.max(scale.left, scale.x(time[i] ?? 0));
    const to = Math.min(scale.right, scale.x(time[i + 1] ?? scale.to));
    if (from > scale.right || to < from) continue;
    if (!isDense) steps.push([from, busy[i] ?? 0]);
    else addArea(area, from - scale.left, to - scale.left, busy[i] ?? 0);
  }
  area.forEach((value, pixel) => {
    steps.push([scale.left + pixel, value]);
  });
  return steps;
}

function addArea(area: Float64Array, from: number, to: number, value: number): void {
  for (let pixel = Math.floor(from); pixel < to && pixel < area.length; pixel++) {
    const part = Math.min(to, pixel + 1) - Math.max(from, pixel);
    area[pixel] = (area[pixel] ?? 0) + part * value;
  }
}
