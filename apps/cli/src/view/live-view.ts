import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import type { Interval } from '@griddep/simulator';
import type { ShardProgress } from '@griddep/simulator/parallel';
import { IntervalTable, packView, type RunBegun } from '@griddep/viewer';
import type { LiveRun, TimelineInput } from '../input/simulated.ts';
import { warn } from '../output/stdout.ts';
import type { EventStream } from './event-stream.ts';
import { LivePage } from './live-page.ts';
import { openBrowser } from './open-browser.ts';
import { viewRun } from './runs.ts';
import { type ServedPage, servePage, untilInterrupted } from './serve.ts';

/** Between two reports of where the devices are, ms. */
const REPORT_MS = 100;
/** A page that goes away may be loading again, ms. */
const GRACE_MS = 3000;
/** The last words to a page take no longer, ms. */
const FAREWELL_MS = 500;

/**
 * A page that is open while the simulation runs: it shows where the devices are and what has ended, and the timeline with
 * all that is known of it once that is there. Signals end the process as if there were no page, until the timeline is shown.
 */
export class LiveView implements LiveRun {
  readonly #pages = new Set<LivePage>();
  readonly #table = new IntervalTable();
  #served: ServedPage | undefined;
  #begun: RunBegun | undefined;
  #reported = 0;
  #isShown = false;
  #hadPage = false;
  #show: (bytes: Uint8Array) => void = () => {};
  readonly #bytes = new Promise<Uint8Array>((resolve) => {
    this.#show = resolve;
  });
  #leave: () => void = () => {};
  readonly #left = new Promise<void>((resolve) => {
    this.#leave = resolve;
  });

  static async start(opens: boolean): Promise<LiveView> {
    const view = new LiveView();
    const { url } = await view.#serve();
    warn(`${url} shows the run`);
    if (opens) openBrowser(url);
    return view;
  }

  async #serve(): Promise<ServedPage> {
    this.#served = await servePage(
      0,
      () => this.#bytes,
      (stream) => this.#welcome(stream),
    );
    return this.#served;
  }

  begins(run: RunBegun): void {
    this.#begun = run;
    this.#tell('begin', run);
  }

  progress(text: string, shards: readonly ShardProgress[]): void {
    const now = performance.now();
    if (now - this.#reported < REPORT_MS) return;
    this.#reported = now;
    this.#tell('progress', { text, shards });
  }

  intervals(batch: readonly Interval[]): void {
    for (const { operation } of batch) this.#table.add({ ...operation, id: operation.id || operation.name });
    for (const page of this.#pages) page.update();
  }

  /** The simulation is over. */
  async show(input: TimelineInput): Promise<void> {
    this.#tell('progress', { text: 'simulated; preparing the whole timeline …', shards: [] });
    await immediate();
    this.#show(packView([await viewRun(input)]));
    this.#isShown = true;
    this.#tell('done', null);
    if (this.#pages.size === 0) void this.#leaveSoon();
  }

  /** Settles when nobody needs the server any more: on a signal, or once all pages are closed that have been open. */
  async ended(): Promise<void> {
    await Promise.race([untilInterrupted(), this.#left]);
    this.#served?.close();
  }

  /** There will be no timeline: tells the pages why, and ends the server. */
  async fail(why: string): Promise<void> {
    this.#tell('failed', why);
    const farewell = Promise.all([...this.#pages].map((page) => page.end()));
    await Promise.race([farewell, sleep(FAREWELL_MS)]);
    this.#served?.close();
  }

  #welcome(stream: EventStream): void {
    const page = new LivePage(stream, this.#table);
    this.#pages.add(page);
    this.#hadPage = true;
    stream.onClose(() => {
      this.#pages.delete(page);
      if (this.#pages.size === 0) void this.#leaveSoon();
    });
    if (this.#begun !== undefined) page.tell('begin', this.#begun);
    if (this.#isShown) page.tell('done', null);
    else page.update();
  }

  async #leaveSoon(): Promise<void> {
    if (!this.#isShown || !this.#hadPage) return;
    await sleep(GRACE_MS, undefined, { ref: false });
    if (this.#pages.size === 0) this.#leave();
  }

  #tell(event: string, data: unknown): void {
    for (const page of this.#pages) page.tell(event, data);
  }
}
