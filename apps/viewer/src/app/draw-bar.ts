import type { Store } from '../data/store.ts';
import { type Palette, textOn } from './palette.ts';

export interface Bar {
  readonly context: CanvasRenderingContext2D;
  readonly palette: Palette;
  readonly store: Store;
  readonly operation: number;
  readonly isHost: boolean;
  readonly block: number | undefined;
  readonly colour: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly height: number;
  readonly leftEdge: number;
  readonly rightEdge: number;
  readonly x: (time: number) => number;
  readonly isDimmed: boolean;
  readonly isFound: boolean;
}

/**
 * One slice by itself. A kernel that started early shows the part until its last wait returned pale and hatched; a line
 * and a wedge show its first and last trigger; a thin tail the time until it is complete and flushed.
 */
export function drawBar(bar: Bar): void {
  const { context, store, operation, top, height, colour, palette } = bar;
  const left = Math.max(bar.leftEdge - 2, bar.left);
  const right = Math.min(bar.rightEdge + 2, bar.right);
  const release = bar.isHost || bar.block !== undefined ? Number.NaN : store.instant(operation, 'lastRelease');
  const waitsUntil = release > store.instant(operation, 'start') ? clamp(bar.x(release), left, right) : left;
  context.globalAlpha = bar.isDimmed ? 0.25 : 1;
  context.fillStyle = colour;
  if (waitsUntil > left + 0.5) {
    context.globalAlpha *= 0.28;
    context.fillRect(left, top, waitsUntil - left, height);
    context.globalAlpha = bar.isDimmed ? 0.25 : 1;
    hatch(context, left, top, waitsUntil - left, height, palette.ink);
    context.strokeStyle = colour;
    context.lineWidth = 1;
    context.strokeRect(left + 0.5, top + 0.5, waitsUntil - left - 1, height - 1);
  }
  context.fillRect(waitsUntil, top, Math.max(0.5, right - waitsUntil), height);
  if (right - left > 4) {
    context.fillStyle = palette.back;
    context.fillRect(right - 1, top, 1, height);
  }
  if (!bar.isHost && bar.block === undefined) {
    const tail = clamp(bar.x(store.instant(operation, 'completion')), right, bar.rightEdge);
    if (tail - right > 0.5) {
      context.globalAlpha *= 0.5;
      context.fillStyle = colour;
      context.fillRect(right, top + height / 2 - 2, tail - right, 4);
      context.globalAlpha = bar.isDimmed ? 0.25 : 1;
    }
    triggers(bar, left, right);
  }
  const label = bar.block === undefined ? nameOf(bar) : `${bar.block}`;
  const bodyIsWider = right - waitsUntil >= waitsUntil - left || right - waitsUntil > 60;
  if (bodyIsWider) text(context, label, waitsUntil, right, top + height / 2, textOn(colour));
  else text(context, label, left, waitsUntil, top + height / 2, palette.ink);
  context.globalAlpha = 1;
  if (bar.isFound) {
    context.fillStyle = palette.mark;
    context.beginPath();
    context.arc(left + 5, top + 3, 6, 0, 2 * Math.PI);
    context.fill();
    context.fillStyle = palette.back;
    context.textAlign = 'center';
    context.fillText('!', left + 5, top + 3.5);
    context.textAlign = 'left';
  }
}

const CALLS: Readonly<Record<string, string>> = {
  kernel: 'launch ',
  graph: 'launch graph ',
  eventRecord: 'record ',
  eventWait: 'wait ',
};

function nameOf({ store, operation, isHost }: Bar): string {
  const kind = store.kind(operation);
  const isEvent = kind === 'eventRecord' || kind === 'eventWait';
  return (isHost || isEvent ? (CALLS[kind] ?? '') : '') + store.name(operation);
}

function triggers({ context, store, operation, top, x, palette }: Bar, left: number, right: number): void {
  const lastTrigger = store.instant(operation, 'lastTrigger');
  if (Number.isNaN(lastTrigger) || right - left < 8) return;
  const last = x(lastTrigger);
  const first = x(store.instant(operation, 'firstTrigger'));
  context.strokeStyle = palette.ink;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(first, top);
  context.lineTo(last, top);
  context.stroke();
  context.fillStyle = palette.ink;
  context.beginPath();
  context.moveTo(last - 4, top - 3);
  context.lineTo(last + 4, top - 3);
  context.lineTo(last, top + 5);
  context.fill();
}

function hatch(
  context: CanvasRenderingContext2D,
  left: number,
  top: number,
  width: number,
  height: number,
  colour: string,
): void {
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  context.beginPath();
  for (let x = Math.floor(left / 6) * 6 - height; x < left + width; x += 6) {
    context.moveTo(x, top + height);
    context.lineTo(x + height, top);
  }
  context.strokeStyle = colour;
  context.globalAlpha *= 0.45;
  context.lineWidth = 1;
  context.stroke();
  context.restore();
}

const CHARACTER = 6.1;

/** As much of a text as fits. */
function text(
  context: CanvasRenderingContext2D,
  label: string,
  left: number,
  right: number,
  middle: number,
  colour: string,
): void {
  const fits = Math.floor((right - left - 8) / CHARACTER);
  if (fits < 2) return;
  context.fillStyle = colour;
  context.fillText(label.length <= fits ? label : `${label.slice(0, fits - 1)}…`, left + 4, middle + 0.5);
}

function clamp(value: number, least: number, most: number): number {
  return Number.isNaN(value) ? least : Math.min(most, Math.max(least, value));
}
