import { packView } from '@griddep/viewer';
import type { TimelineInput } from '../input/simulated.ts';
import { warn } from '../output/stdout.ts';
import { openBrowser } from './open-browser.ts';
import { viewRun } from './runs.ts';
import { servePage } from './serve.ts';

/** A page that is open while the simulation runs: it tells where each device is, and shows the timeline once that is there. */
export class LiveView {
  readonly ended: Promise<void>;
  readonly #listeners: Set<(text: string, isDone: boolean) => void>;
  readonly #show: (bytes: Uint8Array) => void;

  static async start(opens: boolean): Promise<LiveView> {
    let show: (bytes: Uint8Array) => void = () => {};
    const bytes = new Promise<Uint8Array>((resolve) => {
      show = resolve;
    });
    const listeners = new Set<(text: string, isDone: boolean) => void>();
    let isDone = false;
    void bytes.then(() => {
      isDone = true;
    });
    const page = await servePage(0, () => bytes, {
      follow(tell) {
        listeners.add(tell);
        tell('simulating …', isDone);
        return () => listeners.delete(tell);
      },
    });
    warn(`${page.url} shows the run`);
    if (opens) openBrowser(page.url);
    return new LiveView(page.ended, listeners, show);
  }

  private constructor(
    ended: Promise<void>,
    listeners: Set<(text: string, isDone: boolean) => void>,
    show: (bytes: Uint8Array) => void,
  ) {
    this.ended = ended;
    this.#listeners = listeners;
    this.#show = show;
  }

  tell(text: string): void {
    for (const listener of this.#listeners) listener(text, false);
  }

  async show(input: TimelineInput): Promise<void> {
    this.#show(packView([await viewRun(input)]));
    for (const listener of this.#listeners) listener('done', true);
  }
}
