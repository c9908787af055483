import type { Actor, Time } from './actor.ts';
import { MAX_ACTORS } from './event-queue.ts';
import { Executor } from './executor.ts';

export interface RunOptions {
  /** Stops after this many events and reports `limit`; unlimited when absent. */
  readonly maxEvents?: number;
  /** Called now and then with the virtual time reached and the events done; the run goes on when it returns. */
  readonly onProgress?: (time: Time, events: number) => void;
  /** Events between two calls of `onProgress`; 65,536 when absent. */
  readonly progressEvery?: number;
}

export interface RunResult {
  /** `drained`: no event is left. */
  readonly outcome: 'drained' | 'limit';
  readonly time: Time;
  readonly events: number;
  /** Messages between different actors. */
  readonly messages: number;
}

/**
 * Runs all actors in one thread, in the total order of the event queue.
 *
 * @throws Error naming the actor and the time, if an actor schedules into the past, uses a time that is not an integer,
 * addresses an actor that is not there, or throws itself (its error is the cause); TimeOverflow for a time beyond exact
 * integers. What `onProgress` throws comes out as it is.
 */
export function runSequential(actors: readonly Actor[], options: RunOptions = {}): RunResult {
  if (actors.length > MAX_ACTORS) throw new RangeError(`${actors.length} actors; at most ${MAX_ACTORS}`);
  const executor = new Executor({ actors, names: actors.map((actor) => actor.name) });
  const limit = options.maxEvents ?? Number.POSITIVE_INFINITY;
  const every = options.progressEvery ?? 65_536;
  executor.start();
  for (;;) {
    const most = Math.min(every, limit - executor.events);
    const events = executor.run(Number.POSITIVE_INFINITY, most);
    if (events < every) break;
    options.onProgress?.(executor.now, executor.events);
  }
  const { now, events, messages, queue } = executor;
  return { outcome: queue.size === 0 ? 'drained' : 'limit', time: now, events, messages };
}
