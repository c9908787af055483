import { endDelay } from './collective/collective-actor.ts';
import { arriveDelay } from './device/meetings.ts';
import { askDelay } from './device/transfers.ts';
import { HOST, type MachineActors } from './machine-actors.ts';

const NEVER = Number.POSITIVE_INFINITY;

/**
 * Least delay of a message from one actor to another, ps: what it waits at the least whatever the program; Infinity where
 * none is ever sent. It follows from the machine's constants alone: a call's way to a device and a completion's to the
 * host; a signal or a staged chunk between devices; the part of a copy's latency before its bytes flow, and the one after;
 * the parts of a collective's first step.
 */
export function leastDelay(actors: MachineActors, from: number, to: number): number {
  const { quiet } = actors;
  const [sender, receiver] = [quiet.deviceOf(from), quiet.deviceOf(to)];
  if (from === HOST) return receiver < 0 ? NEVER : timesOf(quiet, receiver).commandArrival;
  if (to === HOST) return sender < 0 ? NEVER : timesOf(quiet, sender).progressVisible;
  if (sender >= 0 && receiver >= 0) return betweenDevices(quiet, sender, receiver);
  if (sender >= 0) return to === quiet.collectives ? arriveDelay(timesOf(quiet, sender)) : leastAsk(quiet, sender, to);
  if (receiver < 0) return NEVER;
  if (from === quiet.collectives) return endDelay(timesOf(quiet, receiver));
  return leastAnswer(quiet, from, receiver);
}

/** Flags, events, requests for copies, and staged chunks. */
function betweenDevices(actors: MachineActors, from: number, to: number): number {
  if (from === to) return NEVER;
  const { progressVisible, peerStagingSignal } = timesOf(actors, from);
  return Math.min(progressVisible, peerStagingSignal, actors.plan.signal(from, to));
}

/** A device asks the fabric of its link to the host, and those over which it writes to others. */
function leastAsk(actors: MachineActors, device: number, fabric: number): number {
  const { copyUpLatency, copyDownLatency, copyInlineTime, peerWriteLatency, transferAnswer } = timesOf(actors, device);
  let latency = NEVER;
  if (actors.plan.hostLinks[device]?.fabric === fabric) {
    latency = Math.min(copyUpLatency, copyDownLatency, copyInlineTime);
  }
  for (const path of pathsFrom(actors, device)) {
    if (path.fabric === fabric) latency = Math.min(latency, peerWriteLatency + path.latency);
  }
  return latency === NEVER ? NEVER : askDelay(latency, transferAnswer);
}

/** It answers, and tells of the load on memory at both ends. */
function leastAnswer(actors: MachineActors, fabric: number, device: number): number {
  return leastAsk(actors, device, fabric) === NEVER
    ? NEVER
    : Math.min(timesOf(actors, device).transferAnswer, actors.fabric(fabric).loadDelay);
}

function pathsFrom(actors: MachineActors, device: number) {
  const others = actors.deviceTimes.map((_, other) => other).filter((other) => other !== device);
  return others.map((other) => actors.plan.path(device, other));
}

function timesOf(actors: MachineActors, device: number): MachineActors['deviceTimes'][number] {
  return actors.deviceTimes[device] as MachineActors['deviceTimes'][number];
}
