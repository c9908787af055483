import { cores, mostThreads, TooManyThreads } from '@griddep/engine/parallel';
import type { Program } from '@griddep/program';
import { HOST, type MachineActors } from '../machine-actors.ts';

/** Who runs a simulation: one thread, as many as pay, so many, or one for every device. */
export type Workers = 'sequential' | 'auto' | 'per-device' | number;

/**
 * From how many devices and calls on threads gain something: below, the least delays between actors (1 to 2 us) leave each
 * thread too little to do before it has to hear from the others (bench/README.md).
 */
const WORTH_THREADS = { devices: 128, calls: 40_000 };

/**
 * How many shards a choice comes to for a program and a machine with so many devices.
 *
 * @throws TooManyThreads for a number that the machine cannot start, however many devices there are
 */
export function shardCount(workers: Workers, program: Program, devices: number): number {
  if (workers === 'sequential') return 1;
  if (workers === 'per-device') return devices;
  if (workers === 'auto') return worthThreads(program, devices) ? Math.min(cores(), devices) : 1;
  if (workers - 1 > mostThreads()) {
    throw new TooManyThreads(`${workers} threads; this machine can start ${mostThreads()} beside the calling one`);
  }
  return Math.min(workers, devices);
}

function worthThreads(program: Program, devices: number): boolean {
  const calls = program.threads.reduce((sum, { calls: { length } }) => sum + length, 0);
  return devices >= WORTH_THREADS.devices && calls >= WORTH_THREADS.calls;
}

/** What the host's calls cost beside what one device's share of the work does, by device. */
const HOST_SHARE = 0.15;

/**
 * Deals the actors onto shards: devices in runs, each with its own link to the host; what several devices share, and the
 * host, into the first shard, which gets fewer devices for it.
 */
export function dealActors(actors: MachineActors, devices: number, shards: number): number[][] {
  const dealt: number[][] = Array.from({ length: shards }, () => []);
  const own = new Map<number, number>();
  const first = Math.max(1, Math.round(devices * ((1 + HOST_SHARE) / shards - HOST_SHARE)));
  for (let d = 0; d < devices; d++) {
    const shard = shards === 1 || d < first ? 0 : 1 + Math.floor(((d - first) * (shards - 1)) / (devices - first));
    (dealt[shard] as number[]).push(actors.actorOf(d));
    const link = actors.plan.hostLinks[d];
    if (link?.own === true) own.set(link.fabric, shard);
  }
  for (let actor = 0; actor < actors.names.length; actor++) {
    if (actors.deviceOf(actor) >= 0) continue;
    const shard = actor === HOST ? 0 : (own.get(actor) ?? 0);
    (dealt[shard] as number[]).push(actor);
  }
  return dealt;
}
