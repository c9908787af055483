import type { Trace } from '../trace.ts';
import { roleOf } from './call-kinds.ts';

/** Launches of which a median means something. */
export const ENOUGH_LAUNCHES = 8;

/**
 * The share of a launch call's time under a profiler that it takes without one too. Four runs of Triton kernels, of which
 * a profiler records nothing but such calls, took 1.7 us a launch longer with PyTorch 2.11's, whose launches took 4.2 to
 * 4.8 us (an H200's host, 2026-11-30, `unprofiled-costs.test.ts`).
 */
export const OWN_SHARE = 0.63;

/** What launches of kernels took, ps. */
export function launchTimes({ calls }: Trace): number[] {
  return calls.filter(({ name }) => roleOf(name) === 'launch').map(({ start, end }) => end - start);
}

/** What recording a call costs the host, ps: as much as it costs the usual launch. Without launches it is not known. */
export function callCost(trace: Trace): number {
  const times = launchTimes(trace).sort((a, b) => a - b);
  const usual = times.length < ENOUGH_LAUNCHES ? 0 : (times[Math.floor(times.length / 2)] as number);
  return (1 - OWN_SHARE) * usual;
}
