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
 * addresses an actor that is not there, suspends its event, or throws itself (its error is the cause); TimeOverflow for a
 * time beyond exact integers. What `onProgress` throws comes out as it is.
 */
export function runSequential(actors: readonly Actor[], options: RunOptions = {}): RunResult {
  const step = steps(actors, options).next();
  if (step.done !== true) throw new Error('an actor suspends its event, which runSuspendable can wait for');
  return step.value;
}

/** The same, for actors that suspend events; what the promise of one rejects with comes out as it is. */
export async function runSuspendable(actors: readonly Actor[], options: RunOptions = {}): Promise<RunResult> {
  const run = steps(actors, options);
  for (;;) {
    const step = run.next();
    if (step.done === true) return step.value;
    await step.value;
  }
}

/** The run, with a stop at each event that is suspended. */
function* steps(actors: readonly Actor[], options: RunOptions): Generator<Promise<unknown>, RunResult> {
  if (actors.length > MAX_ACTORS) throw new RangeError(`${actors.length} actors; at most ${MAX_ACTORS}`);
  const executor = new Executor({ actors, names: actors.map((actor) => actor.name) });
  const limit = options.maxEvents ?? Number.POSITIVE_INFINITY;
  const every = options.progressEvery ?? 65_536;
  let due = every;
  executor.start();
  for (;;) {
    executor.run(Number.POSITIVE_INFINITY, Math.min(due, limit) - executor.events);
    const { suspended, events } = executor;
    if (suspended !== undefined) {
      yield suspended;
      continue;
    }
    if (events < due) break;
    options.onProgress?.(executor.now, events);
    due = events + every;
  }
  const { now, events, messages, queue } = executor;
  return { outcome: queue.size === 0 ? 'drained' : 'limit', time: now, events, messages };
}
