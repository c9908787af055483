import { betweenPlaces } from './collective/collective-actor.ts';
import { arriveDelay } from './device/meetings.ts';
import { askDelay } from './device/transfers.ts';
import type { MachineActors } from './machine-actors.ts';

const NEVER = Number.POSITIVE_INFINITY;

/**
 * Least delay of a message from one actor to another, ps: what it waits at the least whatever the program; Infinity where
 * none is ever sent, as between processes but for collectives. It follows from the machine's constants: a call's way to a device and a completion's to the
 * host; a signal or a staged chunk between devices; the part of a copy's latency before its bytes flow, and the one after;
 * the parts of a collective's first step, and nothing from a meeting place to its own devices.
 */
export function leastDelay(actors: MachineActors, from: number, to: number): number {
  const { quiet } = actors;
  const [sender, receiver] = [quiet.deviceOf(from), quiet.deviceOf(to)];
  const [host, toHost] = [quiet.processOfHost(from), quiet.processOfHost(to)];
  if (host >= 0) return isOf(quiet, receiver, host) ? timesOf(quiet, receiver).commandArrival : NEVER;
  if (toHost >= 0) return isOf(quiet, sender, toHost) ? timesOf(quiet, sender).progressVisible : NEVER;
  if (sender >= 0 && receiver >= 0) return betweenDevices(quiet, sender, receiver);
  const [place, toPlace] = [quiet.placeOf(from), quiet.placeOf(to)];
  if (place >= 0 && toPlace >= 0) return betweenPlaces(quiet.deviceTimes);
  if (toPlace >= 0) {
    return sender >= 0 && quiet.placeOfDevice(sender) === toPlace ? arriveDelay(timesOf(quiet, sender)) : NEVER;
  }
  if (place >= 0) return receiver >= 0 && quiet.placeOfDevice(receiver) === place ? 0 : NEVER;
  if (sender >= 0) return leastAsk(quiet, sender, to);
  return receiver < 0 ? NEVER : leastAnswer(quiet, from, receiver);
}

function isOf(actors: MachineActors, device: number, process: number): boolean {
  return device >= 0 && actors.processOfDevice(device) === process;
}

/** Flags, events, requests for copies, and staged chunks; none between processes. */
function betweenDevices(actors: MachineActors, from: number, to: number): number {
  if (from === to || actors.processOfDevice(from) !== actors.processOfDevice(to)) return NEVER;
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
  const others = actors.devicesOfProcess(actors.processOfDevice(device)).filter((other) => other !== device);
  return others.map((other) => actors.plan.path(device, other));
}

function timesOf(actors: MachineActors, device: number): MachineActors['deviceTimes'][number] {
  return actors.deviceTimes[device] as MachineActors['deviceTimes'][number];
}
