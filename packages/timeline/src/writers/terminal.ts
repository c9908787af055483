import { formatUs } from '../instants.ts';
import type { Lane } from '../lanes.ts';
import { type Operation, runsOnSms } from '../operation.ts';
import { makespan } from '../statistics/makespan.ts';
import type { Timeline } from '../timeline.ts';
import { ticks } from './axis.ts';
import { callName, deviceTitle, sliceName, waitingUntil } from './names.ts';
import { type Panel, type PictureOptions, type PreparedPanel, prepare } from './picture.ts';

export interface TerminalOptions extends PictureOptions {
  /** Columns in all, default 100, at least 40. */
  readonly width?: number;
  /** Only ASCII characters. Default false. */
  readonly ascii?: boolean;
  /** Names inside bars that are long enough. Default true. */
  readonly names?: boolean;
}

interface Glyphs {
  readonly main: string;
  readonly waiting: string;
  readonly flush: string;
  readonly copy: string;
  readonly host: string;
  readonly tick: string;
  readonly line: string;
}

const UNICODE: Glyphs = { main: '█', waiting: '░', flush: '╌', copy: '▓', host: '▄', tick: '┬', line: '─' };
const ASCII: Glyphs = { main: '#', waiting: ':', flush: '-', copy: '%', host: '=', tick: '+', line: '-' };
const SMALLEST_WIDTH = 40;
/** A cell shows something if at least this part of it is taken. */
const LEAST_SHOWN = 0.5;

/**
 * Timelines as text, one under the other with a common axis of virtual time. One row per lane; a cell shows what took
 * most of its time, and an operation shorter than a cell still gets one unless longer ones have it.
 */
export function renderTerminal(panels: readonly Panel[], options: TerminalOptions = {}): string {
  const glyphs = options.ascii === true ? ASCII : UNICODE;
  const prepared = prepare(panels, options);
  const names = prepared.panels.flatMap((panel) => panel.lanes.map((lane) => lane.name.length));
  const gutter =
    Math.min(
      24,
      names.reduce((most, length) => Math.max(most, length), 4),
    ) + 3;
  const cells = Math.max(SMALLEST_WIDTH, options.width ?? 100) - gutter;
  const used = new Set<Shade>();
  const canvas = { ...prepared, gutter, cells, glyphs, names: options.names !== false, used };
  const blocks = prepared.panels.map((panel) => panelLines(panel, canvas).join('\n'));
  return `${blocks.join('\n\n')}\n${key(used, glyphs, gutter)}\n`;
}

interface Canvas {
  readonly from: number;
  readonly to: number;
  readonly gutter: number;
  readonly cells: number;
  readonly glyphs: Glyphs;
  readonly names: boolean;
  /** Shades that some cell has, collected while drawing. */
  readonly used: Set<Shade>;
}

function panelLines(panel: PreparedPanel, canvas: Canvas): string[] {
  const { timeline, lanes, hiddenLanes } = panel;
  const dash = canvas.glyphs === ASCII ? '-' : '·';
  const lines = [`${panel.title}  ${dash}  makespan ${formatUs(makespan(timeline).makespan)} us`];
  let device: number | undefined;
  for (const lane of lanes) {
    if (lane.device !== device) lines.push(deviceTitle(timeline, lane.device));
    device = lane.device;
    const name = lane.name.length > canvas.gutter - 3 ? `${lane.name.slice(0, canvas.gutter - 4)}~` : lane.name;
    lines.push(`  ${name.padEnd(canvas.gutter - 2)}${laneCells(timeline, lane, canvas).trimEnd()}`);
  }
  if (hiddenLanes > 0) lines.push(`  ... ${hiddenLanes} more lanes`);
  lines.push(...axisLines(canvas));
  return lines;
}

/** Shades of a cell, most important last: where two took the same time, the later wins. */
const SHADES = ['flush', 'waiting', 'copy', 'host', 'main'] as const;
type Shade = (typeof SHADES)[number];

function laneCells(timeline: Timeline, lane: Lane, canvas: Canvas): string {
  const { from, to, cells, glyphs } = canvas;
  const perCell = (to - from) / cells;
  const time = new Float64Array(cells * SHADES.length);
  const add = (shade: Shade, start: number, end: number) => {
    const first = (Math.max(from, start) - from) / perCell;
    const last = (Math.min(to, end) - from) / perCell;
    if (first > cells || last < 0 || !(first <= last)) return;
    const put = (cell: number, part: number) => {
      const at = Math.min(cells - 1, cell) * SHADES.length + SHADES.indexOf(shade);
      time[at] = (time[at] ?? 0) + part;
    };
    if (last - first < 1) {
      // Shorter than a cell: one cell for all of it, unless it is only the tail of something.
      put(Math.floor((first + last) / 2), shade === 'flush' ? last - first : Math.max(LEAST_SHOWN, last - first));
      return;
    }
    for (let cell = Math.floor(first); cell < last; cell++) put(cell, Math.min(last, cell + 1) - Math.max(first, cell));
  };
  for (const { operation: index, start, end } of lane.slices) {
    const operation = timeline.operations[index];
    if (operation === undefined) continue;
    const middle = lane.device < 0 ? start : Math.min(end, waitingUntil(operation) ?? start);
    if (middle > start) add('waiting', start, middle);
    add(shadeOf(lane, operation), middle, end);
    if (lane.device >= 0 && operation.completion > end) add('flush', end, operation.completion);
  }
  const text: string[] = [];
  for (let cell = 0; cell < cells; cell++) {
    const shade = shadeAt(time, cell);
    if (shade !== undefined) canvas.used.add(shade);
    text.push(shade === undefined ? ' ' : glyphs[shade]);
  }
  if (canvas.names) writeNames(timeline, lane, canvas, text);
  return text.join('');
}

function shadeOf(lane: Lane, { kind }: Operation): Shade {
  if (lane.device < 0) return 'host';
  return runsOnSms(kind) || kind === 'hostFunction' ? 'main' : 'copy';
}

/** The shade that took most of the cell, so that bars begin and end at the nearest cell; none if all took little. */
function shadeAt(time: Float64Array, cell: number): Shade | undefined {
  let best: Shade = 'flush';
  let most = 0;
  let sum = 0;
  for (const [i, shade] of SHADES.entries()) {
    const part = time[cell * SHADES.length + i] ?? 0;
    sum += part;
    if (part < most) continue;
    most = part;
    best = shade;
  }
  return sum < LEAST_SHOWN ? undefined : best;
}

/** Names go into the part after the wait, or else before it, where a cell stays on each side. */
function writeNames(timeline: Timeline, lane: Lane, { from, to, cells }: Canvas, text: string[]): void {
  const cellOf = (time: number) => Math.round(((Math.min(to, Math.max(from, time)) - from) / (to - from)) * cells);
  for (const { operation: index, start, end } of lane.slices) {
    const operation = timeline.operations[index];
    if (operation === undefined) continue;
    const name = lane.device < 0 ? callName(operation) : sliceName(operation);
    const middle = lane.device < 0 ? start : Math.min(end, waitingUntil(operation) ?? start);
    const parts = [[middle, end] as const, [start, middle] as const];
    const part = parts.find(([begin, stop]) => cellOf(stop) - cellOf(begin) >= name.length + 2);
    if (part === undefined) continue;
    const at = cellOf(part[0]) + 1;
    [...name].forEach((character, i) => {
      if (at + i < cells) text[at + i] = character;
    });
  }
}

function axisLines({ from, to, gutter, cells, glyphs }: Canvas): string[] {
  const line = new Array<string>(cells).fill(glyphs.line);
  const labels = new Array<string>(cells + 8).fill(' ');
  let free = 0;
  for (const tick of ticks(from, to, Math.max(2, Math.floor(cells / 10)))) {
    const cell = Math.min(cells - 1, Math.round(((tick.time - from) / (to - from)) * cells));
    line[cell] = glyphs.tick;
    const at = Math.max(0, cell - Math.floor(tick.label.length / 2));
    if (at < free || at + tick.label.length > cells) continue;
    [...tick.label].forEach((character, i) => {
      labels[at + i] = character;
    });
    free = at + tick.label.length + 1;
  }
  return [' '.repeat(gutter) + line.join(''), `${'us'.padStart(gutter - 1)} ${labels.join('').trimEnd()}`];
}

/** In the order in which they come in an operation's life. */
const MEANINGS: Readonly<Record<Shade, string>> = {
  host: 'host call',
  waiting: 'before its wait returned',
  main: 'running',
  flush: 'flush',
  copy: 'copy or other',
};

/** What the glyphs of the picture mean, those alone. */
function key(used: ReadonlySet<Shade>, glyphs: Glyphs, gutter: number): string {
  const entries = (Object.keys(MEANINGS) as Shade[]).filter((shade) => used.has(shade));
  return (' '.repeat(gutter) + entries.map((shade) => `${glyphs[shade]} ${MEANINGS[shade]}`).join('   ')).trimEnd();
}
