import { endDelay } from './collective/collective-actor.ts';
import { arriveDelay } from './device/meetings.ts';
import { askDelay } from './device/transfers.ts';
import { HOST, type MachineActors } from './machine-actors.ts';

/**
 * Least delay of a message from one actor to another, ps: what it waits at the least whatever the program; Infinity where
 * none is ever sent.
 */
export function leastDelay(actors: MachineActors, from: number, to: number): number {
  const [sender, receiver] = [actors.deviceOf(from), actors.deviceOf(to)];
  if (from === HOST) return receiver < 0 ? Number.POSITIVE_INFINITY : timesOf(actors, receiver).commandArrival;
  if (to === HOST) return sender < 0 ? Number.POSITIVE_INFINITY : timesOf(actors, sender).progressVisible;
  if (sender >= 0 && receiver >= 0) {
    const { progressVisible, peerStagingSignal } = timesOf(actors, sender);
    return Math.min(progressVisible, peerStagingSignal, actors.plan.signal(sender, receiver));
  }
  if (sender >= 0)
    return to === actors.collectives ? arriveDelay(timesOf(actors, sender)) : leastAsk(actors, sender, to);
  if (receiver < 0) return Number.POSITIVE_INFINITY;
  if (from === actors.collectives) return endDelay(timesOf(actors, receiver));
  return Math.min(timesOf(actors, receiver).transferAnswer, actors.fabric(from).loadDelay);
}

function leastAsk(actors: MachineActors, device: number, fabric: number): number {
  const link = actors.plan.hostLinks[device];
  const { copyUpLatency, copyDownLatency, copyInlineTime, peerWriteLatency, transferAnswer } = timesOf(actors, device);
  if (link?.own === true && link.fabric !== fabric && isHostLink(actors, fabric)) return Number.POSITIVE_INFINITY;
  return askDelay(Math.min(copyUpLatency, copyDownLatency, copyInlineTime, peerWriteLatency), transferAnswer);
}

function isHostLink(actors: MachineActors, fabric: number): boolean {
  return actors.plan.hostLinks.some((link) => link.own && link.fabric === fabric);
}

function timesOf(actors: MachineActors, device: number): MachineActors['deviceTimes'][number] {
  return actors.deviceTimes[device] as MachineActors['deviceTimes'][number];
}
