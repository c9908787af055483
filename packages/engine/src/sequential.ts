import type { Actor, Time } from './actor.ts';
import { MAX_ACTORS } from './event-queue.ts';
import { Executor } from './executor.ts';
import { InterimGatherer, type InterimResult } from './interim.ts';

/** Events between two looks at the clock, where somebody looks on. */
const LOOK_EVERY = 1024;
/** Others run so often where the run pauses, ms. */
const PAUSE_EVERY_MS = 20;

export interface RunOptions {
  /** Stops after this many events and reports `limit`; unlimited when absent. */
  readonly maxEvents?: number;
  /** Called now and then with the virtual time reached and the events done; the run goes on when it returns. */
  readonly onProgress?: (time: Time, events: number) => void;
  /** Events between two calls of `onProgress`; 65,536 when absent. */
  readonly progressEvery?: number;
  /** Gets what actors give in between (`Actor.interim`), about every 100 ms of wall time, and what is left when no event is. */
  readonly onInterim?: (results: readonly InterimResult[]) => void;
  /** Another least wall time between two calls of `onInterim`, ms; 0 asks after every event. */
  readonly interimEveryMs?: number;
}

/** Options of a run that others may interrupt. */
export interface SuspendableOptions extends RunOptions {
  /** Lets others run: awaited about every 20 ms of wall time. What it rejects with ends the run. */
  readonly pause?: () => Promise<unknown>;
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
export async function runSuspendable(actors: readonly Actor[], options: SuspendableOptions = {}): Promise<RunResult> {
  const run = steps(actors, options, options.pause);
  for (;;) {
    const step = run.next();
    if (step.done === true) return step.value;
    await step.value;
  }
}

/** The run, with a stop at each event that is suspended, and at each pause. */
function* steps(
  actors: readonly Actor[],
  options: RunOptions,
  pause?: SuspendableOptions['pause'],
): Generator<Promise<unknown>, RunResult> {
  if (actors.length > MAX_ACTORS) throw new RangeError(`${actors.length} actors; at most ${MAX_ACTORS}`);
  const executor = new Executor({ actors, names: actors.map((actor) => actor.name) });
  const limit = options.maxEvents ?? Number.POSITIVE_INFINITY;
  const every = options.progressEvery ?? 65_536;
  const { onInterim, interimEveryMs } = options;
  const gatherer = onInterim === undefined ? undefined : new InterimGatherer(actors, interimEveryMs);
  let lookEvery = Number.POSITIVE_INFINITY;
  if (gatherer !== undefined || pause !== undefined) lookEvery = interimEveryMs === 0 ? 1 : LOOK_EVERY;
  let due = every;
  let lookAt = lookEvery;
  let pauseAt = performance.now() + PAUSE_EVERY_MS;
  executor.start();
  for (;;) {
    const until = Math.min(due, lookAt);
    executor.run(Number.POSITIVE_INFINITY, Math.min(until, limit) - executor.events);
    const { suspended, events } = executor;
    if (suspended !== undefined) {
      yield suspended;
      continue;
    }
    if (events < until) break;
    if (events >= lookAt) {
      lookAt = events + lookEvery;
      if (gatherer?.isDue === true) onInterim?.(gatherer.gather(executor.now));
      if (pause !== undefined && performance.now() >= pauseAt) {
        yield pause();
        pauseAt = performance.now() + PAUSE_EVERY_MS;
      }
    }
    if (events < due) continue;
    options.onProgress?.(executor.now, events);
    due = events + every;
  }
  const { now, events, messages, queue } = executor;
  const isDrained = queue.size === 0;
  if (isDrained && gatherer !== undefined) onInterim?.(gatherer.gather(Number.POSITIVE_INFINITY));
  return { outcome: isDrained ? 'drained' : 'limit', time: now, events, messages };
}
