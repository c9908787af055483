import type { Command, Milestone as CudaMilestone, NodeWork } from '@griddep/cuda';
import type { DeviceTimes } from './body.ts';

/** Work of an operation on the device, from a stream's command or a graph's node. */
export type Work = Command | NodeWork;

/** What others wait for; `seen` is the completion of a copy as the compute queues learn of it. */
export type Milestone = CudaMilestone | 'seen';

/** Kernels, and what runs as one: collectives, copies within the device, memsets. */
export function runsOnSms(work: Work): boolean {
  switch (work.type) {
    case 'kernel':
    case 'collective':
    case 'memset':
      return true;
    case 'copy':
      return work.copy === 'deviceToDevice';
    default:
      return false;
  }
}

/** Uploads, downloads and peer copies. */
export function usesCopyEngine(work: Work): boolean {
  return work.type === 'copy' && work.copy !== 'deviceToDevice';
}

/** A wait for an event, or for a value in memory. */
export function isWait(work: Work): boolean {
  return work.type === 'wait' || work.type === 'waitValue';
}

/** Work that the compute queues carry: launches, what runs as a launch, waits, and writes of values (docs/RULES.md 5.13). */
export function usesQueue(work: Work): boolean {
  return runsOnSms(work) || isWait(work) || work.type === 'writeValue' || work.type === 'pool';
}

/** A direct copy from the memory of another device, whose engine does it. */
export function readsOther(work: Work, device: number): boolean {
  return work.type === 'copy' && work.copy === 'peer' && work.staging === undefined && work.sourceDevice !== device;
}

/** Uploads of a few bytes need no copy engine (case `kernel-copy-kernel-h2d-256`). */
export function travelsInCommand(work: Work, { copyInline }: Pick<DeviceTimes, 'copyInline'>): boolean {
  return work.type === 'copy' && work.copy === 'hostToDevice' && work.bytes <= copyInline;
}
