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

/** By device: the fabrics that it asks, and the least part of a latency in which it does. */
type Asks = Map<number, ReadonlyMap<number, number>>;
const ASKS = new WeakMap<MachineActors, Asks>();

/** A device asks the fabric of its link to the host, and those over which it writes to others. */
function leastAsk(actors: MachineActors, device: number, fabric: number): number {
  const asks: Asks = ASKS.get(actors) ?? new Map();
  ASKS.set(actors, asks);
  let own = asks.get(device);
  if (own === undefined) {
    own = asksOf(actors, device);
    asks.set(device, own);
  }
  return own.get(fabric) ?? NEVER;
}

function asksOf(actors: MachineActors, device: number): ReadonlyMap<number, number> {
  const { copyUpLatency, copyDownLatency, copyInlineTime, peerWriteLatency, transferAnswer } = timesOf(actors, device);
  const asks = new Map<number, number>();
  const ask = (fabric: number, latency: number) => {
    asks.set(fabric, Math.min(asks.get(fabric) ?? NEVER, askDelay(latency, transferAnswer)));
  };
  const link = actors.plan.hostLinks[device];
  if (link !== undefined) ask(link.fabric, Math.min(copyUpLatency, copyDownLatency, copyInlineTime));
  for (const { fabric, latency } of pathsFrom(actors, device)) ask(fabric, peerWriteLatency + latency);
  return asks;
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
