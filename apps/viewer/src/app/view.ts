import { fit, pan, type Viewport, zoom } from '../lanes/viewport.ts';
import { type Changes, changesOf } from './changes.ts';
import { make, shortened } from './dom.ts';
import { draw, type Scene } from './draw.ts';
import {
  AXIS_HEIGHT,
  coloursOf,
  type LoadedRun,
  layOut,
  pixelColours,
  type Row,
  type Selection,
  wholeOf,
} from './model.ts';
import { type Palette, paletteOf } from './palette.ts';
import { type Places, placesOf } from './place.ts';

const MOST_HEADINGS = 2000;

/** The timeline on the canvas: what is shown, what is selected, and the headings that open and close sections. */
export class TimelineView {
  runs: readonly LoadedRun[] = [];
  rows: readonly Row[] = [];
  viewport: Viewport = { from: 0, to: 1e6 };
  whole: Viewport = { from: 0, to: 1e6 };
  selection: Selection | undefined;
  measure: Viewport | undefined;
  allArrows = false;
  emphasis: (ReadonlySet<number> | undefined)[] = [];
  changes: Changes | undefined;
  /** Called after every change of the selection. */
  onSelect: () => void = () => {};
  /** How long the last drawing took, ms. */
  drawTime = 0;
  frames = 0;
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #scroll: HTMLElement;
  readonly #spacer: HTMLElement;
  readonly #open = new Map<string, boolean>();
  #headings: HTMLElement[] = [];
  #places: (Places | undefined)[] = [];
  #colours: Map<number, string>[] = [];
  #pixels: Uint32Array[] = [];
  #findings: Set<number>[] = [];
  #palette: Palette;
  #isPending = false;

  constructor(canvas: HTMLCanvasElement, scroll: HTMLElement, spacer: HTMLElement) {
    const context = canvas.getContext('2d', { alpha: false });
    if (context === null) throw new Error('this browser draws no canvas');
    this.#canvas = canvas;
    this.#context = context;
    this.#scroll = scroll;
    this.#spacer = spacer;
    this.#palette = paletteOf(document.documentElement);
    scroll.addEventListener('scroll', () => this.redraw());
    new ResizeObserver(() => this.#resize()).observe(scroll);
  }

  get width(): number {
    return this.#scroll.clientWidth;
  }

  get scrollTop(): number {
    return this.#scroll.scrollTop;
  }

  /** Shows these runs; the range stays when `keepRange`, as after an edit. */
  show(runs: readonly LoadedRun[], keepRange = false): void {
    this.runs = runs;
    this.emphasis = runs.map(() => undefined);
    this.changes = changesOf(runs);
    this.#colours = coloursOf(runs);
    this.#pixels = runs.map((run, i) => pixelColours(run, this.#colours[i] ?? new Map()));
    this.#findings = runs.map(({ run }) => new Set(run.findings.flatMap(({ operations }) => operations)));
    const wasWhole = this.viewport === this.whole;
    this.whole = wholeOf(runs);
    if (wasWhole) this.viewport = this.whole;
    if (!keepRange) {
      this.viewport = this.whole;
      this.selection = undefined;
      this.measure = undefined;
    }
    this.layOut();
    const operations = runs.reduce((sum, { store }) => sum + store.count, 0);
    const titles = runs.map(({ run }) => shortened(run.title, 80)).join(' and ');
    this.#canvas.setAttribute('aria-label', `Timeline of ${titles || 'nothing'}, ${operations} operations`);
  }

  layOut(): void {
    this.rows = layOut(this.runs, (key, atFirst) => this.#open.get(key) ?? atFirst);
    this.#places = [];
    const last = this.rows.at(-1);
    this.#spacer.style.height = `${(last === undefined ? 0 : last.top + last.height) + 12}px`;
    const focused = document.activeElement?.getAttribute('data-key');
    for (const heading of this.#headings) heading.remove();
    this.#headings = this.rows
      .filter(({ kind }) => kind === 'section' || kind === 'run')
      .slice(0, MOST_HEADINGS)
      .map((row) => this.#heading(row));
    this.#spacer.append(...this.#headings);
    this.#headings.find((heading) => heading.getAttribute('data-key') === focused)?.focus();
    this.#resize();
  }

  setTheme(): void {
    this.#palette = paletteOf(document.documentElement);
    this.redraw();
  }

  redraw(): void {
    if (this.#isPending) return;
    this.#isPending = true;
    requestAnimationFrame(() => {
      this.#isPending = false;
      const before = performance.now();
      draw(this.#scene());
      this.drawTime = performance.now() - before;
      this.frames++;
    });
  }

  setRange(viewport: Viewport): void {
    this.viewport = viewport;
    this.redraw();
  }

  zoomBy(factor: number, at = (this.viewport.from + this.viewport.to) / 2): void {
    this.setRange(zoom(this.viewport, factor, at, this.whole));
  }

  panBy(share: number): void {
    this.setRange(pan(this.viewport, share, this.whole));
  }

  fitSelection(): void {
    const span = this.selection === undefined ? undefined : this.spanOf(this.selection);
    this.setRange(span === undefined ? this.whole : fit(span.from, span.to, this.whole, 0.3));
  }

  /** Where the operation is drawn, ps. */
  spanOf({ run, operation }: Selection): Viewport | undefined {
    const { row, slice } = this.places(run);
    const lane = this.rows[row[operation] ?? -1]?.lane;
    const at = slice[operation] ?? -1;
    return lane === undefined || at < 0 ? undefined : { from: lane.starts[at] ?? 0, to: lane.ends[at] ?? 0 };
  }

  select(selection: Selection | undefined, reveal = false): void {
    this.selection = selection;
    if (selection !== undefined && reveal) this.#reveal(selection);
    this.redraw();
    this.onSelect();
  }

  rowAt(y: number): Row | undefined {
    const at = y + this.scrollTop;
    return y < AXIS_HEIGHT ? undefined : this.rows.find(({ top, height }) => at >= top && at < top + height);
  }

  places(run: number): Places {
    const known = this.#places[run];
    if (known !== undefined) return known;
    const loaded = this.runs[run];
    const places =
      loaded === undefined ? { row: new Int32Array(0), slice: new Int32Array(0) } : placesOf(loaded, run, this.rows);
    this.#places[run] = places;
    return places;
  }

  #reveal(selection: Selection): void {
    const row = this.rows[this.places(selection.run).row[selection.operation] ?? -1];
    if (row === undefined) return;
    const height = this.#scroll.clientHeight;
    if (row.top < this.scrollTop + AXIS_HEIGHT || row.top + row.height > this.scrollTop + height) {
      this.#scroll.scrollTop = row.top - height / 2;
    }
    const span = this.spanOf(selection);
    const { from, to } = this.viewport;
    if (span !== undefined && (span.to < from || span.from > to)) {
      const middle = (span.from + span.to) / 2;
      this.viewport = { from: middle - (to - from) / 2, to: middle + (to - from) / 2 };
    }
  }

  #heading(row: Row): HTMLElement {
    const isRun = row.kind === 'run';
    const isOpen = this.rows.some(({ key, kind }) => key === row.key && kind !== 'section');
    const label = isRun ? shortened(row.title, 120) : `${isOpen ? '▾' : '▸'} ${shortened(row.title, 120)}`;
    const toggle = () => {
      this.#open.set(row.key, !isOpen);
      this.layOut();
    };
    const style = `top: ${row.top + 2}px`;
    if (isRun) return make('div', { class: 'section run', style }, label);
    return make(
      'button',
      {
        type: 'button',
        class: 'section',
        style,
        'data-key': row.key,
        'aria-expanded': isOpen ? 'true' : 'false',
        click: toggle,
      },
      label,
    );
  }

  #resize(): void {
    const ratio = devicePixelRatio || 1;
    const { clientWidth: width, clientHeight: height } = this.#scroll;
    if (width === 0 || height === 0) return;
    this.#canvas.width = Math.round(width * ratio);
    this.#canvas.height = Math.round(height * ratio);
    this.#canvas.style.width = `${width}px`;
    this.#canvas.style.height = `${height}px`;
    this.#context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.redraw();
  }

  #scene(): Scene {
    const { selection, changes } = this;
    return {
      context: this.#context,
      width: this.#scroll.clientWidth,
      height: this.#scroll.clientHeight,
      scrollTop: this.scrollTop,
      viewport: this.viewport,
      runs: this.runs,
      rows: this.rows,
      places: (run) => this.places(run),
      colours: this.#colours,
      pixels: this.#pixels,
      palette: this.#palette,
      selection,
      measure: this.measure,
      allArrows: this.allArrows,
      emphasis: this.emphasis,
      findings: this.#findings,
      partner: selection === undefined ? undefined : changes?.partner(selection),
    };
  }
}
