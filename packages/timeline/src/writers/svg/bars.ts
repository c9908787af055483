import { causeText } from '../../cause.ts';
import { formatUs } from '../../instants.ts';
import type { Slice } from '../../lanes.ts';
import { type Operation, runsOnSms } from '../../operation.ts';
import type { Timeline } from '../../timeline.ts';
import { OTHER_COLOUR, textColour } from '../colours.ts';
import { callName, sliceName, waitingUntil } from '../names.ts';
import type { Row, Scale } from './layout.ts';
import { fitText, INK, label } from './text.ts';
import { element, escapeXml, round } from './xml.ts';

const HOST_COLOUR = '#d5dbe2';
const THIN_KINDS: ReadonlySet<Operation['kind']> = new Set(['eventRecord', 'eventWait', 'allocation', 'graph']);

export interface BarStyle {
  readonly timeline: Timeline;
  readonly scale: Scale;
  readonly colours: ReadonlyMap<string, string>;
  /** Id of the pattern that hatches the part before a wait returned. */
  readonly hatch: string;
}

/** Slices too narrow to draw one by one, which become one bar in the colour that covers most of it. */
interface Run {
  left: number;
  right: number;
  /** Width that its slices really cover, by colour. */
  readonly covered: Map<string, number>;
  count: number;
}

const WIDEST_RUN = 3;

/** The bars of one lane. Neighbours under a pixel are drawn as one, so a lane never has more bars than pixels. */
export function laneBars(row: Row, style: BarStyle): string[] {
  const { scale, timeline } = style;
  const bars: string[] = [];
  let run: Run | undefined;
  const flush = () => {
    if (run !== undefined) bars.push(runBar(row, run));
    run = undefined;
  };
  for (const slice of row.lane.slices) {
    if (slice.end < scale.from || slice.start > scale.to) continue;
    const operation = timeline.operations[slice.operation];
    if (operation === undefined) continue;
    const left = Math.max(scale.left, scale.x(slice.start));
    const right = Math.min(scale.right, scale.x(slice.end));
    if (right - left >= 1) {
      flush();
      bars.push(
        row.lane.device < 0 ? callBar(row, slice, operation, left, right, style) : bar(row, slice, operation, style),
      );
      continue;
    }
    const colour = colourOf(row, operation, style);
    if (run !== undefined && (left - run.right > 1 || right - run.left > WIDEST_RUN)) flush();
    run ??= { left, right, covered: new Map(), count: 0 };
    run.right = Math.max(run.right, right);
    run.covered.set(colour, (run.covered.get(colour) ?? 0) + right - left);
    run.count++;
  }
  flush();
  return bars;
}

function runBar(row: Row, { left, right, covered, count }: Run): string {
  const width = Math.max(1, right - left);
  const [fill] = [...covered].reduce((most, entry) => (entry[1] > most[1] ? entry : most));
  const sum = [...covered.values()].reduce((total, part) => total + part, 0);
  const opacity = count === 1 ? 1 : 0.4 + 0.6 * Math.min(1, sum / width);
  const y = row.top + 4;
  const text = count === 1 ? '' : element('title', {}, `${count} operations, each narrower than a pixel`);
  return element('rect', { x: left, y, width, height: row.height - 8, fill, opacity }, text);
}

function callBar(row: Row, slice: Slice, operation: Operation, left: number, right: number, style: BarStyle): string {
  const height = row.height - 8;
  const y = row.top + 4;
  const title = `${callName(operation)}\n${formatUs(slice.start)} to ${formatUs(slice.end)} us`;
  const width = right - left;
  return group(title, [
    element('rect', {
      x: left,
      y,
      width,
      height,
      rx: 2,
      fill: colourOf(row, operation, style),
      stroke: '#ffffff',
      'stroke-width': 0.75,
    }),
    barLabel(left, y, width, height, callName(operation), INK, 10),
  ]);
}

function bar(row: Row, slice: Slice, operation: Operation, style: BarStyle): string {
  const { scale, timeline } = style;
  const fill = colourOf(row, operation, style);
  const inset = THIN_KINDS.has(operation.kind) ? 10 : 4;
  const y = row.top + inset;
  const height = row.height - 2 * inset;
  const clamp = (time: number) => Math.min(scale.right, Math.max(scale.left, scale.x(time)));
  const left = clamp(slice.start);
  const right = clamp(slice.end);
  const middle = clamp(Math.min(slice.end, waitingUntil(operation) ?? slice.start));
  const box = { y, height, rx: Math.min(2.5, (right - left) / 2) };
  const parts: string[] = [];
  if (middle - left > 0.5) {
    parts.push(
      element('rect', {
        x: left,
        width: right - left,
        ...box,
        fill,
        'fill-opacity': 0.22,
        stroke: fill,
        'stroke-width': 1,
      }),
    );
    parts.push(element('rect', { x: left, width: middle - left, ...box, fill: `url(#${style.hatch})` }));
  }
  parts.push(element('rect', { x: middle, width: Math.max(0.5, right - middle), ...box, fill }));
  const tail = clamp(operation.completion);
  if (tail - right > 0.5) {
    parts.push(
      element('rect', { x: right, y: y + height / 2 - 2, width: tail - right, height: 4, fill, opacity: 0.5 }),
    );
  }
  parts.push(...triggerMarks(operation, y, clamp, right - left));
  const name = sliceName(operation);
  if (inset === 4) {
    parts.push(
      right - middle >= middle - left || right - middle > 60
        ? barLabel(middle, y, right - middle, height, name, textColour(fill))
        : barLabel(left, y, middle - left, height, name, INK),
    );
  }
  return group(description(timeline, slice, operation), parts);
}

/** A dark wedge where the last block triggered, and a line from the first trigger to it. */
function triggerMarks(operation: Operation, y: number, clamp: (time: number) => number, width: number): string[] {
  const { firstTrigger, lastTrigger } = operation;
  if (Number.isNaN(lastTrigger) || width < 8) return [];
  const last = clamp(lastTrigger);
  const first = clamp(firstTrigger);
  const wedge = element('path', {
    d: `M${round(last - 4)} ${round(y - 4)}h8l-4 7z`,
    fill: INK,
    stroke: '#ffffff',
    'stroke-width': 0.8,
  });
  if (!(last - first > 3)) return [wedge];
  return [
    element('path', { d: `M${round(first)} ${round(y)}H${round(last)}`, stroke: INK, 'stroke-width': 1.5 }),
    wedge,
  ];
}

/** Text inside a bar, clipped to it by a viewport of its own. */
function barLabel(
  left: number,
  top: number,
  width: number,
  height: number,
  text: string,
  colour: string,
  size = 11,
): string {
  const shown = fitText(text, width - 8, size);
  if (shown === '') return '';
  const baseline = height / 2 + size * 0.36;
  return element(
    'svg',
    { x: left, y: top, width, height, overflow: 'hidden' },
    label(5, baseline, shown, { colour, size }),
  );
}

function colourOf(row: Row, operation: Operation, style: BarStyle): string {
  if (row.lane.device < 0) return HOST_COLOUR;
  return (runsOnSms(operation.kind) ? style.colours.get(operation.name) : undefined) ?? OTHER_COLOUR;
}

function description(timeline: Timeline, slice: Slice, operation: Operation): string {
  const { id, kind, stream, cause } = operation;
  const lines = [
    `${sliceName(operation)} (${kind} ${id})`,
    `stream ${stream}`,
    `${formatUs(slice.start)} to ${formatUs(slice.end)} us, ${formatUs(slice.end - slice.start)} us long`,
    `started after ${causeText(timeline, cause)}`,
  ];
  const until = waitingUntil(operation);
  if (until !== undefined) lines.push(`last wait returned at ${formatUs(until)} us`);
  if (!Number.isNaN(operation.lastTrigger)) lines.push(`last trigger at ${formatUs(operation.lastTrigger)} us`);
  return lines.join('\n');
}

function group(title: string, parts: readonly string[]): string {
  return element('g', {}, element('title', {}, escapeXml(title)) + parts.join(''));
}
