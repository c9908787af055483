import { type Actor, type RunOptions, type RunResult, runSequential, TimeOverflow } from '@griddep/engine';
import type { Machine } from '@griddep/machine';
import type { Program } from '@griddep/program';
import type { Timeline } from '@griddep/timeline';
import { IntervalFeed, type IntervalListener } from './intervals/interval-feed.ts';
import { type Lift, Lifts } from './lifts.ts';
import type { SimulateOptions } from './options.ts';
import { type Prepared, prepare } from './prepare.ts';
import { eventLimit, timeLimit } from './time-limit.ts';

/**
 * Simulates what a machine does with a program, in the calling thread.
 *
 * @returns the timeline; what can never finish is listed in its `stuck`, CUDA errors in its `errors`.
 * @throws ProgramError when the machine cannot run the program at all (checkProgram).
 * @throws SimulationLimit when `maxEvents` is reached, or simulated time passes 2.5 hours.
 */
export function simulate(program: Program, machine: Machine, options: SimulateOptions = {}): Timeline {
  return simulateCounted(program, machine, options).timeline;
}

/** The same, with what it took. */
export function simulateCounted(
  program: Program,
  machine: Machine,
  options: SimulateOptions,
): { readonly timeline: Timeline; readonly run: RunResult } {
  return run(prepare(program, machine, options), options);
}

/**
 * The same, as if some operations had not been held up by some constraints: what would have happened without a cause.
 *
 * @throws ProgramError and SimulationLimit as `simulate` does
 */
export function simulateWithout(
  program: Program,
  machine: Machine,
  lifts: readonly Lift[],
  options: SimulateOptions = {},
): Timeline {
  return run(prepare(program, machine, options, undefined, undefined, new Lifts(lifts)), options).timeline;
}

function run(prepared: Prepared, options: SimulateOptions): { readonly timeline: Timeline; readonly run: RunResult } {
  const whole = wholeMachine(prepared);
  const feed = feedOf(prepared, options.onIntervals);
  let done: RunResult;
  try {
    done = runSequential(whole.all, runOptions(options, feed));
  } catch (error) {
    throw whole.asLimit(error);
  }
  const ended = whole.ended(done);
  feed?.endAtOnce();
  return ended;
}

/** All actors of a simulation, for one thread, and what they have recorded when they have run. */
export function wholeMachine({ hosts, setup, actors, timeline }: Prepared) {
  const devices = setup.machine.devices.map((_, i) => actors.device(i));
  const processes = setup.processes.map((_, i) => hosts.make(i, actors));
  const all = actors.names.map((_, id) => {
    return processes[actors.processOfHost(id)] ?? devices[actors.deviceOf(id)] ?? actors.make(id);
  });
  const recorded = () => processes.map((host) => host.result());
  const results = () => devices.map((device) => device.result());
  return {
    all: all as Actor[],
    /** The error as its caller sees it. */
    asLimit(error: unknown): unknown {
      return error instanceof TimeOverflow ? timeLimit(error, recorded()) : error;
    },
    /** @throws SimulationLimit where the run stopped at one */
    ended(run: RunResult): { readonly timeline: Timeline; readonly run: RunResult } {
      if (run.outcome === 'limit') throw eventLimit(run);
      return { timeline: timeline(recorded(), results()), run };
    },
  };
}

/** What hands the intervals of a run to a listener, if there is one; whether it waits for promises of that, see there. */
export function feedOf(
  { actors }: Prepared,
  listener: IntervalListener | undefined,
  awaits = false,
): IntervalFeed | undefined {
  return listener === undefined ? undefined : new IntervalFeed(actors, listener, awaits);
}

/** The part of the options that is the engine's. */
export function runOptions(
  { maxEvents, onProgress, intervalsEveryMs }: Omit<SimulateOptions, 'onIntervals'>,
  feed: IntervalFeed | undefined,
): RunOptions {
  return {
    ...(maxEvents === undefined ? {} : { maxEvents }),
    ...(onProgress === undefined ? {} : { onProgress }),
    ...(feed === undefined ? {} : { onInterim: (results) => feed.add(results) }),
    ...(intervalsEveryMs === undefined ? {} : { interimEveryMs: intervalsEveryMs }),
  };
}
