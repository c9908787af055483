import { formatUs } from '../../instants.ts';
import type { Operation } from '../../operation.ts';
import type { Timeline } from '../../timeline.ts';
import { ticks } from '../axis.ts';
import { kernelColours, OTHER_COLOUR, textColour } from '../colours.ts';
import { sliceName } from '../names.ts';
import { FONT, fitText, INK, label, MUTED, textWidth } from './text.ts';
import { element, round } from './xml.ts';

const WIDTH = 960;
const LEFT = 150;
const RIGHT = WIDTH - 30;
const BAR = 46;
const FIRST_TOP = 92;
const SECOND_TOP = 214;
const HEIGHT = 344;
const PATTERN = 'textbook-hatch';

/** A call in a grid, where its first and its last block were at it. */
interface Mark {
  readonly name: string;
  readonly first: number;
  readonly last: number;
}

/**
 * Two grids as textbooks draw programmatic dependent launch: one above the other, with the calls that order them marked
 * on each: the trigger of the first, the wait of the second, and what lies between.
 *
 * @param pair indices of two kernels that ran
 */
export function renderTextbookSvg(timeline: Timeline, pair: readonly [number, number]): string {
  const [first, second] = pair.map((index) => timeline.operations[index]);
  if (first === undefined || second === undefined) throw new RangeError(`no operations ${pair.join(' and ')}`);
  const from = Math.min(first.start, second.start);
  const to = Math.max(first.completion || first.end, second.completion || second.end);
  const margin = (to - from) * 0.04 || 1;
  const x = (time: number) => LEFT + ((time - from + margin) / (to - from + 2 * margin)) * (RIGHT - LEFT);
  const colours = kernelColours([timeline]);
  const overlap = Math.min(first.end, second.end) - Math.max(first.start, second.start);
  const body = [
    label(24, 28, fitText(`${first.id} and ${second.id}`, WIDTH - 48, 15), { size: 15, weight: 700 }),
    label(24, 46, overlapText(first, second, overlap), { colour: MUTED }),
    overlap > 0 ? overlapBand(x(Math.max(first.start, second.start)), x(Math.min(first.end, second.end))) : '',
    grid(first, 'primary', FIRST_TOP, x, colours.get(first.name) ?? OTHER_COLOUR),
    grid(second, 'secondary', SECOND_TOP, x, colours.get(second.name) ?? OTHER_COLOUR),
    callMarks(first, FIRST_TOP, x),
    callMarks(second, SECOND_TOP, x),
    axis(from - margin, to + margin, x),
  ];
  const stripe = element('path', { d: 'M0 6L6 0', stroke: INK, 'stroke-opacity': 0.35 });
  const pattern = element('pattern', { id: PATTERN, width: 6, height: 6, patternUnits: 'userSpaceOnUse' }, stripe);
  const frame = {
    xmlns: 'http://www.w3.org/2000/svg',
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    width: WIDTH,
    height: HEIGHT,
  };
  const background = element('rect', { width: WIDTH, height: HEIGHT, fill: '#ffffff' });
  return `${element('svg', { ...frame, 'font-family': FONT, role: 'img' }, [element('defs', {}, pattern), background, ...body].join('\n'))}\n`;
}

function overlapText(first: Operation, second: Operation, overlap: number): string {
  if (overlap > 0) return `both run for ${formatUs(overlap)} us`;
  return `${formatUs(second.start - first.end)} us from the end of the first to the start of the second`;
}

function overlapBand(left: number, right: number): string {
  const top = FIRST_TOP - 8;
  return element('rect', {
    x: left,
    y: top,
    width: right - left,
    height: SECOND_TOP + BAR + 8 - top,
    fill: '#4477aa',
    'fill-opacity': 0.1,
  });
}

function grid(operation: Operation, role: string, top: number, x: (time: number) => number, fill: string): string {
  const { start, end, lastRelease, blocks } = operation;
  const left = x(start);
  const right = x(end);
  const middle = start < lastRelease ? x(Math.min(end, lastRelease)) : left;
  const box = { y: top, height: BAR };
  const early = middle > left + 0.5;
  const name = `${sliceName(operation)}, ${blocks} block${blocks === 1 ? '' : 's'}`;
  const wide = early && middle - left > right - middle;
  const [from, room, colour] = wide ? [left, middle - left, INK] : [middle, right - middle, textColour(fill)];
  return [
    label(LEFT - 14, top + BAR / 2 - 2, role, { anchor: 'end', weight: 600, size: 12 }),
    label(LEFT - 14, top + BAR / 2 + 13, fitText(operation.stream, LEFT - 30), { anchor: 'end', colour: MUTED }),
    early ? element('rect', { x: left, width: middle - left, ...box, fill, 'fill-opacity': 0.22, stroke: fill }) : '',
    early ? element('rect', { x: left, width: middle - left, ...box, fill: `url(#${PATTERN})` }) : '',
    element('rect', { x: middle, width: Math.max(1, right - middle), ...box, fill }),
    label(from + 8, top + BAR / 2 + 4, fitText(name, room - 14), { colour }),
  ].join('');
}

function marksOf(operation: Operation): Mark[] {
  const { firstTrigger, lastTrigger, firstRelease, lastRelease } = operation;
  return [
    { name: 'griddepcontrol.launch_dependents', first: firstTrigger, last: lastTrigger },
    { name: 'griddepcontrol.wait returns', first: firstRelease, last: lastRelease },
  ].filter(({ last }) => !Number.isNaN(last));
}

function callMarks(operation: Operation, top: number, x: (time: number) => number): string {
  return marksOf(operation)
    .map(({ name, first, last }, i) => {
      const isTrigger = name.includes('launch');
      const y = isTrigger ? top : top + BAR;
      const at = x(last);
      const wedge = isTrigger ? `M${round(at - 5)} ${y - 9}h10l-5 9z` : `M${round(at - 5)} ${y + 9}h10l-5 -9z`;
      const text = `${name} ${formatUs(last)} us`;
      const wide = textWidth(text, 10);
      const baseline = isTrigger ? y - 13 : y + 20 + i * 2;
      const left = Math.max(LEFT, Math.min(at - wide / 2, RIGHT - wide));
      return [
        element('path', { d: `M${round(x(first))} ${y}H${round(at)}`, stroke: INK, 'stroke-width': 2 }),
        element('path', { d: `M${round(at)} ${top}v${BAR}`, stroke: INK, 'stroke-dasharray': '3 2' }),
        element('path', { d: wedge, fill: INK }),
        label(left, baseline, text, { size: 10 }),
      ].join('');
    })
    .join('');
}

function axis(from: number, to: number, x: (time: number) => number): string {
  const y = HEIGHT - 36;
  const marks = ticks(from, to, 8).map(({ time, label: words }) => {
    const at = x(time);
    return (
      element('path', { d: `M${round(at)} ${y}v5`, stroke: '#8c959f' }) +
      label(at, y + 18, words, { colour: MUTED, size: 10, anchor: 'middle' })
    );
  });
  return [
    element('path', { d: `M${LEFT} ${y}H${RIGHT}`, stroke: '#8c959f' }),
    ...marks,
    label(LEFT - 14, y + 18, 'us', { colour: MUTED, size: 10, anchor: 'end' }),
  ].join('');
}
