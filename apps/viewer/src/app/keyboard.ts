import { effectsOf } from '../data/why.ts';
import { firstAbove } from '../lanes/lane.ts';
import type { TimelineView } from './view.ts';

const ZOOM = 1.3;
const PAN = 0.12;

/** Keys as Perfetto has them, and arrows that go from operation to operation. */
export interface Commands {
  readonly search: () => void;
  readonly help: () => void;
  readonly critical: () => void;
}

export const KEYS: readonly (readonly [string, string])[] = [
  ['W, S', 'zoom in, out'],
  ['A, D', 'move left, right'],
  ['F', 'fit the selected operation'],
  ['0', 'show everything'],
  ['← →', 'operation before, after in its lane'],
  ['↑ ↓', 'lane above, below'],
  ['[ ]', 'operation that let it start, that it let start'],
  ['M', 'measure the selected operation'],
  ['C', 'critical path'],
  ['/', 'search'],
  ['Esc', 'select nothing'],
  ['?', 'this list'],
];

export function listenToKeys(timeline: HTMLElement, view: TimelineView, commands: Commands): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (event.key.startsWith('Arrow') && event.target !== timeline) return;
    const action = actionOf(event.key, view, commands);
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement
  );
}

function actionOf(key: string, view: TimelineView, commands: Commands): (() => void) | undefined {
  switch (key.length === 1 ? key.toLowerCase() : key) {
    case 'w':
      return () => view.zoomBy(1 / ZOOM, focus(view));
    case 's':
      return () => view.zoomBy(ZOOM, focus(view));
    case 'a':
      return () => view.panBy(-PAN);
    case 'd':
      return () => view.panBy(PAN);
    case 'f':
      return () => view.fitSelection();
    case '0':
      return () => view.setRange(view.whole);
    case 'm':
      return () => measure(view);
    case 'c':
      return commands.critical;
    case '/':
      return commands.search;
    case '?':
      return commands.help;
    case '[':
      return () => follow(view, true);
    case ']':
      return () => follow(view, false);
    case 'Escape':
      return () => {
        view.measure = undefined;
        view.select(undefined);
      };
    case 'ArrowLeft':
      return () => step(view, -1);
    case 'ArrowRight':
      return () => step(view, 1);
    case 'ArrowUp':
      return () => changeLane(view, -1);
    case 'ArrowDown':
      return () => changeLane(view, 1);
    default:
      return undefined;
  }
}

/** Zooming keeps the selected operation in view, if it is. */
function focus(view: TimelineView): number | undefined {
  const span = view.selection === undefined ? undefined : view.spanOf(view.selection);
  const middle = span === undefined ? undefined : (span.from + span.to) / 2;
  const { from, to } = view.viewport;
  return middle !== undefined && middle > from && middle < to ? middle : undefined;
}

function measure(view: TimelineView): void {
  if (view.selection === undefined) return;
  view.measure = view.spanOf(view.selection);
  view.redraw();
}

function follow(view: TimelineView, isBack: boolean): void {
  const { selection } = view;
  const store = selection === undefined ? undefined : view.runs[selection.run]?.store;
  if (selection === undefined || store === undefined) return;
  const { run, operation } = selection;
  const target = isBack ? store.fact(operation, 'causeOperation') : (effectsOf(store, operation, 1)[0] ?? -1);
  if (target >= 0) view.select({ run, operation: target }, true);
}

function placeOf(view: TimelineView): { row: number; slice: number } | undefined {
  const { selection } = view;
  if (selection === undefined) return undefined;
  const places = view.places(selection.run);
  const row = places.row[selection.operation] ?? -1;
  return row < 0 ? undefined : { row, slice: places.slice[selection.operation] ?? 0 };
}

function step(view: TimelineView, by: number): void {
  const place = placeOf(view);
  if (place === undefined) {
    changeLane(view, 1);
    return;
  }
  const row = view.rows[place.row];
  const operation = row?.lane?.operations[place.slice + by];
  if (row !== undefined && operation !== undefined) view.select({ run: row.run, operation }, true);
}

/** To the nearest operation in the next lane that has one whose place it is. */
function changeLane(view: TimelineView, by: number): void {
  const place = placeOf(view);
  const span = view.selection === undefined ? undefined : view.spanOf(view.selection);
  const middle = span === undefined ? view.viewport.from : (span.from + span.to) / 2;
  for (let at = (place?.row ?? -1) + by; at >= 0 && at < view.rows.length; at += by) {
    const row = view.rows[at];
    const lane = row?.lane;
    if (row === undefined || lane === undefined || lane.blocks !== undefined) continue;
    const slice = Math.min(lane.starts.length - 1, firstAbove(lane.ends, middle, true));
    const operation = lane.operations[slice];
    if (operation === undefined || view.places(row.run).row[operation] !== at) continue;
    view.select({ run: row.run, operation }, true);
    return;
  }
}
