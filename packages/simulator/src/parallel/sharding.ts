import { cores } from '@griddep/engine/parallel';
import type { Program } from '@griddep/program';
import { HOST, type MachineActors } from '../machine-actors.ts';

/** Who runs a simulation: one thread, as many as pay, so many, or one for every device. */
export type Workers = 'sequential' | 'auto' | 'per-device' | number;

/** Calls for devices from which on the time that threads save is more than what starting them costs. */
const WORTH_THREADS = 40_000;

/** How many shards a choice comes to for a program and a machine with so many devices. */
export function shardCount(workers: Workers, program: Program, devices: number): number {
  if (workers === 'sequential') return 1;
  if (workers === 'per-device') return devices;
  if (workers === 'auto') return worthThreads(program) ? Math.min(cores(), devices) : 1;
  return Math.min(workers, devices);
}

function worthThreads(program: Program): boolean {
  const calls = program.threads.reduce((sum, { calls: { length } }) => sum + length, 0);
  return calls >= WORTH_THREADS;
}

/**
 * Deals the actors onto shards: devices in runs of equal length, each with its own link to the host; what several
 * devices share, and the host, into the first shard.
 */
export function dealActors(actors: MachineActors, devices: number, shards: number): number[][] {
  const dealt: number[][] = Array.from({ length: shards }, () => []);
  const own = new Map<number, number>();
  for (let d = 0; d < devices; d++) {
    const shard = Math.floor((d * shards) / devices);
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
