import { type RunResult, runSuspendable } from '@griddep/engine';
import type { Machine } from '@griddep/machine';
import type { Timeline } from '@griddep/timeline';
import type { SimulateOptions } from '../options.ts';
import { prepare } from '../prepare.ts';
import { feedOf, runOptions, wholeMachine } from '../simulate.ts';
import { type HostCode, type StartedCode, startCode } from './host-code.ts';

export interface HostCodeOptions extends SimulateOptions {
  /** Name of the program; `host code` if absent. */
  readonly name?: string;
  /** Whether operations have the places of their calls as origins; default true. Without, runs of many calls are shorter. */
  readonly places?: boolean;
}

/**
 * Simulates what a machine does with a program that is TypeScript code, in the calling thread. Its host threads run
 * while the simulation does, and branch on what they observe.
 *
 * @returns the timeline; what can never finish is listed in its `stuck`, CUDA errors in its `errors`.
 * @throws what the code throws; HostUseError with the place where a host thread awaits something outside virtual time;
 * ProgramError and SimulationLimit as `simulate` does.
 */
export async function simulateHostCode(
  code: HostCode,
  machine: Machine,
  options: HostCodeOptions = {},
): Promise<Timeline> {
  const started = startCode(code, machine, options.name ?? 'host code', options.places);
  return (await runCode(started, machine, options)).timeline;
}

/** The same for code that has been started, with what it took. */
export async function runCode(
  { live, finish }: StartedCode,
  machine: Machine,
  options: SimulateOptions,
): Promise<{ readonly timeline: Timeline; readonly run: RunResult }> {
  const prepared = prepare(live.begin(), machine, options, undefined, live);
  live.attach(prepared.hosts.runtime);
  const whole = wholeMachine(prepared);
  const feed = feedOf(prepared, options.onIntervals);
  let run: RunResult;
  try {
    run = await runSuspendable(whole.all, runOptions(options, feed));
  } catch (error) {
    throw whole.asLimit(error);
  }
  const ended = whole.ended(run);
  feed?.endAtOnce();
  await finish();
  return ended;
}
