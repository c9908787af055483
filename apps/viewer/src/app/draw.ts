import { causeInstant } from '@griddep/timeline';
import { CAUSES } from '../data/columns.ts';
import type { Curve } from '../lanes/curves.ts';
import { firstAbove, type Lane } from '../lanes/lane.ts';
import { type Mark, visitMarks } from '../lanes/level-of-detail.ts';
import type { Viewport } from '../lanes/viewport.ts';
import { ticksOf } from './axis.ts';
import { drawBar } from './draw-bar.ts';
import { AXIS_HEIGHT, type LoadedRun, type Row, type Selection } from './model.ts';
import type { Palette } from './palette.ts';
import { PixelStrip, parseColour } from './pixel-strip.ts';
import type { Places } from './place.ts';

export const GUTTER = 150;

/** All that a picture depends on. */
export interface Scene {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
  readonly scrollTop: number;
  readonly viewport: Viewport;
  readonly runs: readonly LoadedRun[];
  readonly rows: readonly Row[];
  readonly places: (run: number) => Places;
  readonly colours: readonly ReadonlyMap<number, string>[];
  readonly pixels: readonly Uint32Array[];
  readonly palette: Palette;
  readonly selection: Selection | undefined;
  readonly measure: Viewport | undefined;
  readonly allArrows: boolean;
  /** Per run: operations to set apart, such as the critical path or what a search found; undefined for none. */
  readonly emphasis: readonly (ReadonlySet<number> | undefined)[];
  readonly findings: readonly ReadonlySet<number>[];
  /** The selected operation's partner in the other run. */
  readonly partner: Selection | undefined;
}

const MOST_ARROWS = 600;

export function xOf({ viewport, width }: Pick<Scene, 'viewport' | 'width'>, time: number): number {
  return GUTTER + ((time - viewport.from) / (viewport.to - viewport.from)) * (width - GUTTER);
}

export function draw(scene: Scene): void {
  const { context, width, height, palette, scrollTop, rows } = scene;
  context.fillStyle = palette.back;
  context.fillRect(0, 0, width, height);
  context.font = '11px Inter, "Helvetica Neue", Arial, sans-serif';
  context.textBaseline = 'middle';
  const ticks = ticksOf(scene.viewport, Math.max(2, Math.floor((width - GUTTER) / 90)));
  const visible = rows.filter((row) => row.top + row.height > scrollTop + AXIS_HEIGHT && row.top < scrollTop + height);
  context.fillStyle = palette.line;
  for (const { time } of ticks) {
    const x = xOf(scene, time);
    if (x >= GUTTER) context.fillRect(Math.round(x), AXIS_HEIGHT, 1, height);
  }
  for (const row of visible) {
    if (row.kind === 'lane' || row.kind === 'curve') continue;
    context.fillStyle = palette.band;
    context.fillRect(0, row.top - scrollTop, width, row.height);
  }
  context.save();
  context.beginPath();
  context.rect(GUTTER, AXIS_HEIGHT, width - GUTTER, height);
  context.clip();
  drawLanes(scene, visible);
  for (const row of visible) if (row.curve !== undefined) drawCurve(scene, row, row.curve);
  drawArrows(scene, visible);
  drawSelection(scene);
  context.restore();
  drawNames(scene, visible);
  drawAxis(scene, ticks);
  if (scene.measure !== undefined) drawMeasure(scene, scene.measure);
}

/** Overlaps below, then what is too narrow for a bar as pixels, then bars. */
function drawLanes(scene: Scene, visible: readonly Row[]): void {
  const { context, scrollTop } = scene;
  const lanes = visible.flatMap((row) => (row.lane === undefined ? [] : [{ row, lane: row.lane }]));
  const strip = new PixelStrip(Math.ceil(scene.width - GUTTER), 2 * lanes.length);
  const pictures = lanes.map(({ row, lane }, line) => pictureOf(scene, row, lane, strip, line));
  for (const { row, lane, wide } of pictures) {
    if (lane.isHost || lane.blocks !== undefined) continue;
    for (const { from } of wide) shadeOverlap(scene, row, lane.operations[from] ?? 0);
  }
  const image = strip.image();
  if (image !== undefined) {
    context.imageSmoothingEnabled = false;
    pictures.forEach(({ row }, line) => {
      const top = row.top - scrollTop;
      context.drawImage(image, 0, 2 * line, strip.width, 1, GUTTER, top + 4, strip.width, row.height - 8);
      context.drawImage(image, 0, 2 * line + 1, strip.width, 1, GUTTER, top + 1, strip.width, 4);
    });
  }
  for (const picture of pictures) drawBars(scene, picture);
}

/** What of a lane is drawn slice by slice, and the rest as pixels. */
interface LanePicture {
  readonly row: Row;
  readonly lane: Lane;
  readonly wide: readonly Mark[];
}

/** Slices narrower than this are drawn as pixels only, px. */
const OWN_BAR = 3;

/** Deals the marks of a lane: narrow ones into the strip, wide ones into a list. */
function pictureOf(scene: Scene, row: Row, lane: Lane, strip: PixelStrip, line: number): LanePicture {
  const { from, to } = scene.viewport;
  const emphasis = scene.emphasis[row.run];
  const wide: Mark[] = [];
  const host = parseColour(scene.palette.muted);
  const ink = parseColour(scene.palette.ink);
  const grey = parseColour(greyOf(scene));
  const pixels = scene.pixels[row.run];
  visitMarks(lane, from, to, scene.width - GUTTER, (first, next, left, right, covered, hasSingle) => {
    const isOne = next - first === 1;
    if (isOne && right - left >= OWN_BAR) {
      wide.push({ from: first, to: next, left, right, covered, hasSingle });
      return;
    }
    const operation = lane.operations[(first + next) >> 1] ?? 0;
    const isHit = emphasis === undefined || hasAny(emphasis, lane.operations, first, next);
    const alpha = (isOne ? 1 : 0.45 + 0.55 * covered) * (isHit ? 1 : 0.25);
    strip.fill(2 * line, left, right, lane.isHost ? host : pixels?.[operation] || grey, alpha);
    // A kernel of one block stands out of the bars beside it, however short it is.
    if (hasSingle) strip.fill(2 * line + 1, left, right, ink, 1);
  });
  return { row, lane, wide };
}

function drawBars(scene: Scene, { row, lane, wide }: LanePicture): void {
  const { context, palette, scrollTop } = scene;
  const loaded = scene.runs[row.run];
  if (loaded === undefined) return;
  const emphasis = scene.emphasis[row.run];
  for (const mark of wide) {
    const operation = lane.operations[mark.from] ?? 0;
    drawBar({
      context,
      palette,
      store: loaded.store,
      operation,
      isHost: lane.isHost,
      block: lane.blocks?.[mark.from],
      colour: lane.isHost ? (palette.isDark ? '#4d5864' : '#c3ccd6') : colourOf(scene, row.run, operation),
      left: GUTTER + mark.left,
      right: GUTTER + mark.right,
      top: row.top - scrollTop + 3,
      height: row.height - 6,
      leftEdge: GUTTER,
      rightEdge: scene.width,
      x: (time) => xOf(scene, time),
      isDimmed: emphasis !== undefined && !emphasis.has(operation),
      isFound: !lane.isHost && (scene.findings[row.run]?.has(operation) ?? false),
    });
  }
}

const TRIGGER = CAUSES.indexOf('trigger');

/** Where a kernel that a trigger let in runs beside the one that triggered. */
function shadeOverlap(scene: Scene, row: Row, operation: number): void {
  const { context, palette, runs, rows, scrollTop } = scene;
  const store = runs[row.run]?.store;
  if (store === undefined || store.fact(operation, 'causeKind') !== TRIGGER) return;
  const source = store.fact(operation, 'causeOperation');
  const from = xOf(scene, store.instant(operation, 'start'));
  const to = xOf(scene, store.instant(source, 'end'));
  const other = rows[scene.places(row.run).row[source] ?? -1];
  if (!(to > from) || other === undefined) return;
  const top = Math.min(row.top, other.top) - scrollTop;
  const bottom = Math.max(row.top + row.height, other.top + other.height) - scrollTop;
  context.globalAlpha = 0.14;
  context.fillStyle = palette.accent;
  context.fillRect(from, top, to - from, bottom - top);
  context.globalAlpha = 1;
}

function hasAny(set: ReadonlySet<number>, operations: Uint32Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (set.has(operations[i] ?? 0)) return true;
  return false;
}

function colourOf({ colours, palette, runs }: Scene, run: number, operation: number): string {
  const name = runs[run]?.store.fact(operation, 'name') ?? -1;
  return colours[run]?.get(name) ?? greyOf({ palette });
}

function greyOf({ palette }: Pick<Scene, 'palette'>): string {
  return palette.isDark ? '#7d8793' : '#9aa3b0';
}

function drawCurve(scene: Scene, row: Row, curve: Curve): void {
  const { context, viewport, palette } = scene;
  const { from, to } = viewport;
  const pixels = Math.ceil(scene.width - GUTTER);
  const bottom = row.top - scene.scrollTop + row.height - 3;
  const height = row.height - 10;
  const perPixel = (to - from) / pixels;
  context.beginPath();
  context.moveTo(GUTTER, bottom);
  let index = 0;
  let before = integral(curve, from, 0);
  for (let pixel = 0; pixel < pixels; pixel++) {
    const end = from + (pixel + 1) * perPixel;
    index = firstAbove(curve.times, end, false, index);
    const area = integral(curve, end, index);
    const value = (area - before) / perPixel;
    before = area;
    const y = bottom - Math.min(1, value / curve.full) * height;
    context.lineTo(GUTTER + pixel, y);
    context.lineTo(GUTTER + pixel + 1, y);
  }
  context.lineTo(scene.width, bottom);
  context.globalAlpha = 0.25;
  context.fillStyle = palette.accent;
  context.fill();
  context.globalAlpha = 1;
  context.strokeStyle = palette.accent;
  context.lineWidth = 1;
  context.stroke();
}

/** The integral of a curve up to `time`; `after` is at most the first step after it. */
function integral({ times, values, area }: Curve, time: number, after: number): number {
  const last = firstAbove(times, time, false, after) - 1;
  return last < 0 ? 0 : (area[last] ?? 0) + (values[last] ?? 0) * (time - (times[last] ?? 0));
}

function drawArrows(scene: Scene, visible: readonly Row[]): void {
  const { selection, runs, viewport } = scene;
  if (scene.allArrows) {
    let left = MOST_ARROWS;
    for (const { lane, run } of visible) {
      const store = runs[run]?.store;
      if (lane === undefined || store === undefined || lane.isHost || lane.blocks !== undefined) continue;
      let i = firstAbove(lane.ends, viewport.from, true);
      for (; i < lane.starts.length && (lane.starts[i] ?? 0) <= viewport.to && left > 0; i++, left--) {
        arrowTo(scene, run, lane.operations[i] ?? 0, false);
      }
    }
  }
  if (selection === undefined) return;
  arrowTo(scene, selection.run, selection.operation, true);
  const store = runs[selection.run]?.store;
  if (store === undefined || store.count > 200_000) return;
  for (let i = 0, left = 60; i < store.count && left > 0; i++) {
    if (store.fact(i, 'causeOperation') !== selection.operation) continue;
    arrowTo(scene, selection.run, i, true);
    left--;
  }
}

/** From what satisfied the last condition to the start of what it held up. */
function arrowTo(scene: Scene, run: number, operation: number, isStrong: boolean): void {
  const { context, palette, rows, scrollTop, runs } = scene;
  const store = runs[run]?.store;
  const source = store?.fact(operation, 'causeOperation') ?? -1;
  if (store === undefined || source < 0) return;
  const places = scene.places(run);
  const from = rows[places.row[source] ?? -1];
  const to = rows[places.row[operation] ?? -1];
  if (from?.lane === undefined || to?.lane === undefined) return;
  const start = to.lane.starts[places.slice[operation] ?? 0] ?? 0;
  const instant = causeInstant(store.cause(operation), store.operation(source), start);
  const x0 = xOf(scene, instant);
  const x1 = xOf(scene, start);
  const middle = (row: Row) => row.top - scrollTop + row.height / 2;
  const y0 = middle(from);
  const y1 = middle(to);
  context.strokeStyle = isStrong ? palette.mark : palette.ink;
  context.fillStyle = context.strokeStyle;
  context.lineWidth = isStrong ? 2 : 1;
  context.beginPath();
  context.moveTo(x0, y0);
  const bend = Math.max(12, (x1 - x0) / 2);
  context.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1 - 1, y1);
  context.stroke();
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x1 - 6, y1 - 4);
  context.lineTo(x1 - 6, y1 + 4);
  context.fill();
}

function drawSelection(scene: Scene): void {
  for (const [selected, dash] of [
    [scene.selection, []],
    [scene.partner, [4, 3]],
  ] as const) {
    if (selected === undefined) continue;
    for (const [index, row] of scene.rows.entries()) {
      const { lane } = row;
      const top = row.top - scene.scrollTop;
      if (lane === undefined || row.run !== selected.run || top > scene.height || top + row.height < 0) continue;
      const isBlocks = lane.blocks !== undefined;
      const i = isBlocks
        ? blockSlice(lane, selected)
        : sliceOf(lane, selected.operation, scene.places(selected.run), index);
      if (i < 0) continue;
      const { context } = scene;
      const left = xOf(scene, lane.starts[i] ?? 0);
      const right = xOf(scene, lane.ends[i] ?? 0);
      context.setLineDash([...dash]);
      context.lineWidth = 3;
      context.strokeStyle = scene.palette.back;
      const box = [left - 2, top + 1, Math.max(4, right - left + 4), row.height - 2] as const;
      context.strokeRect(...box);
      context.lineWidth = 2;
      context.strokeStyle = scene.palette.ink;
      context.strokeRect(...box);
      context.setLineDash([]);
    }
  }
}

function sliceOf(lane: NonNullable<Row['lane']>, operation: number, places: Places, row: number): number {
  if (places.row[operation] === row) return places.slice[operation] ?? -1;
  return lane.operations.length > 20_000 ? -1 : lane.operations.indexOf(operation);
}

function blockSlice({ operations, blocks }: NonNullable<Row['lane']>, { operation, block }: Selection): number {
  if (block === undefined || blocks === undefined) return -1;
  return blocks.findIndex((each, i) => each === block && operations[i] === operation);
}

function drawNames({ context, palette, scrollTop }: Scene, visible: readonly Row[]): void {
  for (const row of visible) {
    const middle = row.top - scrollTop + row.height / 2;
    if (row.kind !== 'lane' && row.kind !== 'curve') continue;
    context.fillStyle = palette.back;
    context.fillRect(0, row.top - scrollTop, GUTTER - 1, row.height);
    context.fillStyle = palette.line;
    context.fillRect(GUTTER - 1, row.top - scrollTop, 1, row.height);
    context.fillStyle = palette.muted;
    context.textAlign = 'right';
    if (row.curve !== undefined) {
      const { full, unit } = row.curve;
      context.fillText(`${Number(full.toPrecision(3))} ${unit}`, GUTTER - 8, middle + 9);
      context.fillText(row.title, GUTTER - 8, middle - 6);
    } else {
      context.fillText(row.title.length > 22 ? `${row.title.slice(0, 21)}…` : row.title, GUTTER - 8, middle);
    }
    context.textAlign = 'left';
  }
}

function drawAxis(scene: Scene, ticks: ReturnType<typeof ticksOf>): void {
  const { context, palette, width } = scene;
  context.fillStyle = palette.back;
  context.fillRect(0, 0, width, AXIS_HEIGHT);
  context.fillStyle = palette.muted;
  context.textAlign = 'center';
  for (const { time, label } of ticks) {
    const x = xOf(scene, time);
    if (x >= GUTTER) context.fillText(label, Math.min(x, width - 24), AXIS_HEIGHT / 2);
  }
  context.textAlign = 'right';
  context.fillText('us', GUTTER - 8, AXIS_HEIGHT / 2);
  context.textAlign = 'left';
  context.fillStyle = palette.line;
  context.fillRect(0, AXIS_HEIGHT - 1, width, 1);
}

function drawMeasure(scene: Scene, { from, to }: Viewport): void {
  const { context, palette, height, width } = scene;
  const left = Math.max(GUTTER, xOf(scene, from));
  const right = Math.min(width, xOf(scene, to));
  if (right < left) return;
  context.globalAlpha = 0.15;
  context.fillStyle = palette.accent;
  context.fillRect(left, AXIS_HEIGHT, right - left, height);
  context.globalAlpha = 1;
  context.fillRect(left, 0, 1, height);
  context.fillRect(right, 0, 1, height);
  const text = `${((to - from) / 1e6).toFixed(3)} us`;
  const wide = context.measureText(text).width + 12;
  const x = Math.min(width - wide, Math.max(GUTTER, (left + right - wide) / 2));
  context.fillStyle = palette.ink;
  context.fillRect(x, AXIS_HEIGHT + 2, wide, 18);
  context.fillStyle = palette.back;
  context.fillText(text, x + 6, AXIS_HEIGHT + 11);
}
