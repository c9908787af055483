import { type Actor, type RunResult, runSequential, TimeOverflow } from '@griddep/engine';
import type { Machine } from '@griddep/machine';
import type { Program } from '@griddep/program';
import type { Timeline } from '@griddep/timeline';
import type { SimulateOptions } from './options.ts';
import { prepare } from './prepare.ts';
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
  const { hosts, setup, actors, timeline } = prepare(program, machine, options);
  const devices = machine.devices.map((_, i) => actors.device(i));
  const processes = setup.processes.map((_, i) => hosts.make(i, actors));
  const all = actors.names.map((_, id) => {
    return processes[actors.processOfHost(id)] ?? devices[actors.deviceOf(id)] ?? actors.make(id);
  });
  const recorded = () => processes.map((host) => host.result());
  const results = () => devices.map((device) => device.result());
  let run: RunResult;
  try {
    run = runSequential(all as Actor[], {
      ...(options.maxEvents === undefined ? {} : { maxEvents: options.maxEvents }),
      ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
    });
  } catch (error) {
    if (!(error instanceof TimeOverflow)) throw error;
    throw timeLimit(error, recorded());
  }
  if (run.outcome === 'limit') throw eventLimit(run);
  return { timeline: timeline(recorded(), results()), run };
}
