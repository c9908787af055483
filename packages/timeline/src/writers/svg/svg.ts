import { formatUs } from '../../instants.ts';
import { type Operation, runsOnSms } from '../../operation.ts';
import { makespan } from '../../statistics/makespan.ts';
import { ticks } from '../axis.ts';
import { kernelColours } from '../colours.ts';
import { deviceTitle, waitingUntil } from '../names.ts';
import { type Panel, type PictureOptions, prepare, shownOperations } from '../picture.ts';
import { causeArrows } from './arrows.ts';
import { laneBars } from './bars.ts';
import { smCurve } from './curve.ts';
import { layOut, makeScale, type PanelLayout, type Row, type Scale } from './layout.ts';
import { legend } from './legend.ts';
import { FONT, fitText, label, MUTED, textWidth } from './text.ts';
import { element, round } from './xml.ts';

export interface SvgOptions extends PictureOptions {
  /** px, default 1200. */
  readonly width?: number;
  /** Arrows from cause to effect. Default: where a panel has at most 60 operations. */
  readonly arrows?: boolean;
  /** Prefix of the ids in the file, for several pictures in one page. Default `griddep`. */
  readonly idPrefix?: string;
}

const MOST_WITH_ARROWS = 60;

/**
 * Timelines as one SVG, one under the other with a common axis of virtual time. One row per lane, grouped by device
 * with the host's threads on top and the busy SMs below. Bars that would be narrower than a pixel are drawn together,
 * so the size of the file depends on the picture's width and number of lanes, not on the number of operations.
 */
export function renderSvg(panels: readonly Panel[], options: SvgOptions = {}): string {
  const { width = 1200, idPrefix = 'griddep' } = options;
  const ids = { hatch: `${idPrefix}-hatch`, marker: `${idPrefix}-arrow` };
  const prepared = prepare(panels, options);
  const scale = makeScale(prepared.panels, width, prepared.from, prepared.to);
  const colours = kernelColours(panels.map((panel) => panel.timeline));
  const body: string[] = [];
  let top = 12;
  let hasArrows = false;
  for (const panel of prepared.panels) {
    const layout = layOut(panel, top);
    const arrows = options.arrows ?? panel.timeline.operations.length <= MOST_WITH_ARROWS;
    hasArrows ||= arrows;
    body.push(heading(layout, scale), grid(layout, scale));
    for (const group of layout.groups) {
      body.push(label(24, group.top + 17, deviceTitle(panel.timeline, group.device), { weight: 600, size: 12 }));
      body.push(streamLabels(group.rows, scale));
      for (const row of group.rows)
        body.push(...laneBars(row, { timeline: panel.timeline, scale, colours, hatch: ids.hatch }));
      if (group.curveTop !== undefined) body.push(smCurve(panel.timeline, group.device, group.curveTop, scale));
    }
    if (arrows) body.push(...causeArrows(layout, scale, ids.marker));
    top = layout.bottom;
  }
  const shown = prepared.panels.flatMap((panel) => shownOperations(panel, prepared.from, prepared.to));
  const marks = { ...marksOf(shown), arrows: hasArrows };
  const names = new Set(shown.map((operation) => operation.name));
  const key = legend(new Map([...colours].filter(([name]) => names.has(name))), marks, ids, top + 14, 24, scale.right);
  const height = top + key.height + 24;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${round(width)} ${round(height)}`,
      width,
      height,
      'font-family': FONT,
      role: 'img',
    },
    [definitions(ids), element('rect', { width, height, fill: '#ffffff' }), ...body, key.markup].join('\n'),
  )}\n`;
}

function definitions({ hatch, marker }: { readonly hatch: string; readonly marker: string }): string {
  const stripe = element('path', {
    d: 'M0 6L6 0M-1.5 1.5L1.5 -1.5M4.5 7.5L7.5 4.5',
    stroke: '#1b1f24',
    'stroke-opacity': 0.35,
  });
  const head = element('path', { d: 'M0 0L7 3.5L0 7z', fill: '#424a53' });
  const size = { markerWidth: 5.5, markerHeight: 5.5, orient: 'auto', markerUnits: 'userSpaceOnUse' };
  return element(
    'defs',
    {},
    element('pattern', { id: hatch, width: 6, height: 6, patternUnits: 'userSpaceOnUse' }, stripe) +
      element('marker', { id: marker, viewBox: '0 0 7 7', refX: 6, refY: 3.5, ...size }, head),
  );
}

function heading({ title, subtitle = '', timeline, top, hiddenLanes }: PanelLayout, scale: Scale): string {
  const span = makespan(timeline);
  const facts = [
    title === timeline.program ? '' : timeline.program,
    timeline.machine,
    `${timeline.operations.length} operations`,
    `makespan ${formatUs(span.makespan)} us`,
    hiddenLanes === 0 ? '' : `${hiddenLanes} more lanes not shown`,
  ];
  const text = facts.filter((fact) => fact !== '').join('  ·  ');
  const beside = 24 + textWidth(title, 15) + 12;
  const aside = subtitle === '' ? '' : fitText(subtitle, scale.right - beside);
  return (
    label(24, top + 18, fitText(title, scale.right - 24, 15), { size: 15, weight: 700 }) +
    (aside === '' ? '' : label(beside, top + 18, aside, { colour: MUTED })) +
    label(24, top + 35, fitText(text, scale.right - 24), { colour: MUTED })
  );
}

function grid({ plotTop, plotBottom }: PanelLayout, scale: Scale): string {
  const list = ticks(scale.from, scale.to, Math.max(2, Math.floor((scale.right - scale.left) / 80)));
  let lines = '';
  let labels = '';
  for (const tick of list) {
    const x = scale.x(tick.time);
    lines += `M${round(x)} ${round(plotTop + 4)}V${round(plotBottom + 4)}`;
    labels += label(x, plotBottom + 17, tick.label, { colour: MUTED, size: 10, anchor: 'middle' });
  }
  return [
    element('path', { d: lines, stroke: '#e4e8ec', 'stroke-width': 1 }),
    element('path', { d: `M${round(scale.left)} ${round(plotBottom + 4)}H${round(scale.right)}`, stroke: '#8c959f' }),
    labels,
    label(scale.left - 8, plotBottom + 17, 'us', { colour: MUTED, size: 10, anchor: 'end' }),
  ].join('');
}

/** One label per stream beside all its lanes, and a line above each stream but the first. */
function streamLabels(rows: readonly Row[], scale: Scale): string {
  let markup = '';
  rows.forEach((row, i) => {
    const { index, stream } = row.lane;
    if (index !== 0) return;
    let last = i;
    while (rows[last + 1]?.lane.stream === stream) last++;
    const end = rows[last] ?? row;
    const bottom = end.top + end.height;
    markup += element('path', { d: `M24 ${round(row.top)}H${round(scale.right)}`, stroke: '#eef1f4' });
    if (last > i)
      markup += element('path', {
        d: `M${round(scale.left - 6)} ${round(row.top + 4)}h-4V${round(bottom - 4)}h4`,
        fill: 'none',
        stroke: '#afb8c1',
      });
    const text = fitText(stream, scale.left - 24 - 16);
    markup += label(scale.left - 16, (row.top + bottom) / 2 + 4, text, { anchor: 'end' });
  });
  return markup;
}

function marksOf(operations: readonly Operation[]) {
  const marks = { other: false, waiting: false, trigger: false, flush: false };
  for (const operation of operations) {
    marks.other ||= !runsOnSms(operation.kind);
    marks.waiting ||= waitingUntil(operation) !== undefined;
    marks.flush ||= operation.completion > operation.end;
    marks.trigger ||= !Number.isNaN(operation.lastTrigger);
  }
  return marks;
}
