import { formatUs } from '@griddep/timeline';
import { make } from './dom.ts';
import { type LoadedRun, load } from './model.ts';
import { Paced } from './paced.ts';
import { table } from './selection-panel.ts';
import { type LiveProgress, type LiveState, watchServer } from './watch-server.ts';

/** What a run that goes on is shown with. */
export interface LivePanel {
  say(text: string): void;
  /** What has ended so far; the same operation keeps its place. */
  show(run: LoadedRun): void;
  /** Where each device is. */
  readonly slot: HTMLElement;
}

/** Shows a simulation while it runs: what has ended, and where its devices are. Rejects as `watchServer` does. */
export async function followRun(path: string, panel: LivePanel): Promise<void> {
  let latest: LiveState | undefined;
  const draw = new Paced(() => {
    if (latest === undefined) return;
    const { begun, rows } = latest;
    panel.show({ ...load({ title: begun.title, columns: rows.columns(begun), findings: [] }), isRunning: true });
  });
  try {
    await watchServer(path, {
      progress(progress) {
        panel.say(progress.text);
        panel.slot.replaceChildren(...(progress.shards.length === 0 ? [] : [progressTable(progress)]));
      },
      intervals(state) {
        latest = state;
        draw.ask();
      },
    });
  } finally {
    draw.stop();
    panel.slot.replaceChildren();
  }
}

function progressTable({ shards }: LiveProgress): HTMLElement {
  const rows = shards.map(({ devices, time }): [string, string] => [gpus(devices), `${formatUs(time)} us`]);
  return make('section', { id: 'progress', 'aria-label': 'Progress' }, make('h2', {}, 'Simulating'), table(rows, true));
}

function gpus(devices: readonly number[]): string {
  if (devices.length === 0) return 'host';
  const [first, last] = [devices[0], devices.at(-1)];
  return first === last ? `GPU ${first}` : `GPU ${first} to ${last}`;
}
