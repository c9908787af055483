import { kernelColours, makeOperation, makeTimeline, runsOnSms } from '@griddep/timeline';
import { FACT, FACTS } from '../data/columns.ts';
import { Store } from '../data/store.ts';
import type { ViewRun } from '../data/view-document.ts';
import type { Curve } from '../lanes/curves.ts';
import type { Lane } from '../lanes/lane.ts';
import { lastInstant, type Section, sectionsOf } from '../lanes/sections.ts';
import type { Viewport } from '../lanes/viewport.ts';
import { parseColour } from './pixel-strip.ts';

export interface LoadedRun {
  readonly run: ViewRun;
  readonly store: Store;
  readonly sections: readonly Section[];
  readonly end: number;
  /** First start to last end on any device, ps. */
  readonly makespan: number;
  /** Its simulation goes on: what has not ended is missing, and causes are not known. */
  readonly isRunning?: boolean;
}

export interface Row {
  readonly kind: 'run' | 'section' | 'lane' | 'curve';
  readonly run: number;
  readonly top: number;
  readonly height: number;
  /** Key of the section, with the run before it. */
  readonly key: string;
  readonly title: string;
  readonly lane?: Lane;
  readonly curve?: Curve;
}

export interface Selection {
  readonly run: number;
  readonly operation: number;
  /** For a block in the lane of an SM. */
  readonly block?: number;
}

const HEIGHTS = { run: 28, section: 24, lane: 26, host: 20, sm: 16, curve: 46 };
export const AXIS_HEIGHT = 26;
const HEADED_FROM = 2;

export function load(run: ViewRun): LoadedRun {
  const store = new Store(run.columns);
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < store.count; i++) {
    if (store.fact(i, 'device') < 0) continue;
    const start = store.instant(i, 'start');
    const end = store.instant(i, 'end');
    if (!(start <= end)) continue;
    if (start < first) first = start;
    if (end > last) last = end;
  }
  return {
    run,
    store,
    sections: sectionsOf(store),
    end: lastInstant(store),
    makespan: Math.max(0, last - first) || 0,
  };
}

/** The rows of all runs from top to bottom; `open` says of each section whether it is. */
export function layOut(runs: readonly LoadedRun[], open: (key: string, atFirst: boolean) => boolean): Row[] {
  const rows: Row[] = [];
  let top = AXIS_HEIGHT;
  const add = (row: Omit<Row, 'top'>) => {
    rows.push({ ...row, top });
    top += row.height;
  };
  const isComparison = runs.length >= HEADED_FROM;
  const letter = (run: number) => (isComparison ? `${String.fromCharCode(65 + run)}  ` : '');
  if (isComparison) {
    runs.forEach(({ run }, index) => {
      add({ kind: 'run', run: index, height: HEIGHTS.run, key: `${index}`, title: letter(index) + run.title });
    });
  }
  for (const { run, section } of interleaved(runs)) {
    const key = `${run} ${section.key}`;
    const isOpen = open(key, section.isOpenAtFirst);
    if (isOpen && section.lanes().length === 0 && section.curves().length === 0) continue;
    add({ kind: 'section', run, height: HEIGHTS.section, key, title: letter(run) + section.title });
    if (!isOpen) continue;
    for (const lane of section.lanes()) {
      const height = lane.isHost ? HEIGHTS.host : lane.blocks === undefined ? HEIGHTS.lane : HEIGHTS.sm;
      add({ kind: 'lane', run, height, key, title: lane.name, lane });
    }
    for (const curve of section.curves()) {
      add({ kind: 'curve', run, height: HEIGHTS.curve, key, title: curve.title, curve });
    }
  }
  return rows;
}

/** The sections of all runs, the same section of each next to each other. */
function interleaved(runs: readonly LoadedRun[]): { readonly run: number; readonly section: Section }[] {
  const keys = new Set(runs.flatMap(({ sections }) => sections.map(({ key }) => key)));
  const byKey = runs.map(({ sections }) => new Map(sections.map((section) => [section.key, section])));
  return [...keys].flatMap((key) =>
    byKey.flatMap((sections, run) => {
      const section = sections.get(key);
      return section === undefined ? [] : [{ run, section }];
    }),
  );
}

export function wholeOf(runs: readonly LoadedRun[]): Viewport {
  const end = runs.reduce((most, run) => Math.max(most, run.end), 0);
  return { from: 0, to: end > 0 ? end * 1.02 : 1e6 };
}

/** The colour of each operation as the canvas has it in memory, 0 for those that are grey: looked up for each pixel of each frame. */
export function pixelColours({ store }: LoadedRun, colours: ReadonlyMap<number, string>): Uint32Array {
  const pixels = new Uint32Array(store.count);
  const packed = new Map([...colours].map(([position, colour]) => [position, parseColour(colour)] as const));
  const { facts } = store.columns;
  for (let i = 0; i < pixels.length; i++) pixels[i] = packed.get(facts[i * FACTS.length + FACT.name] ?? -1) ?? 0;
  return pixels;
}

/** The colour of each kernel of each run, by the position of its name: the same name has the same colour everywhere. */
export function coloursOf(runs: readonly LoadedRun[]): Map<number, string>[] {
  const named = runs.map(({ store }) => {
    const names = new Map<number, string>();
    const { facts } = store.columns;
    for (let i = 0; i < store.count; i++) {
      const position = facts[i * FACTS.length + FACT.name] ?? -1;
      if (names.has(position)) continue;
      const kind = store.kind(i);
      if (runsOnSms(kind)) names.set(position, store.text(position));
    }
    return names;
  });
  const distinct = [...new Set(named.flatMap((names) => [...names.values()]))];
  const colours = kernelColours([makeTimeline(distinct.map((name) => makeOperation({ id: name, name })))]);
  return named.map(
    (names) => new Map([...names].map(([position, name]) => [position, colours.get(name) ?? '#9aa3b0'] as const)),
  );
}
