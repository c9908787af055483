import { IntervalRows, type RunBegun } from '../data/interval-table.ts';
import { fromBase64 } from './open.ts';

/** How far the simulation is: in words, and the time (ps) that each shard with its devices has reached. */
export interface LiveProgress {
  readonly text: string;
  readonly shards: readonly { readonly devices: readonly number[]; readonly time: number }[];
}

/** What a simulation that still runs has told so far. */
export interface LiveState {
  readonly begun: RunBegun;
  readonly rows: IntervalRows;
}

/** Who is told of it. */
export interface LiveListener {
  progress(progress: LiveProgress): void;
  /** More has ended. */
  intervals(state: LiveState): void;
}

/**
 * Follows a simulation until it is done (`EventStream` of the server is the other end). Rejects where it fails, and where
 * the server goes away. The connection stays: by it the server knows that the page is there.
 */
export function watchServer(path: string, listener: LiveListener): Promise<void> {
  return new Promise((resolve, reject) => {
    const events = new EventSource(path);
    let state: LiveState | undefined;
    const on = (name: string, heard: (data: string) => void) =>
      events.addEventListener(name, ({ data }: MessageEvent<string>) => heard(data));
    on('begin', (data) => {
      state = { begun: JSON.parse(data) as RunBegun, rows: new IntervalRows() };
    });
    on('progress', (data) => listener.progress(JSON.parse(data) as LiveProgress));
    on('intervals', (data) => {
      if (state === undefined) return;
      state.rows.append(fromBase64(data));
      listener.intervals(state);
    });
    on('done', () => resolve());
    on('failed', (data) => {
      events.close();
      reject(new Error(JSON.parse(data) as string));
    });
    events.addEventListener('error', () => {
      events.close();
      reject(new Error('the simulation went away'));
    });
  });
}
