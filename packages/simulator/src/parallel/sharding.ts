import { cores, mostThreads, TooManyThreads } from '@griddep/engine/parallel';
import type { Program } from '@griddep/program';
import type { MachineActors } from '../machine-actors.ts';
import type { Process } from '../processes.ts';

/** Who runs a simulation: one thread, as many as pay, so many, or one for every device. */
export type Workers = 'sequential' | 'auto' | 'per-device' | number;

/**
 * From how many devices and calls on threads gain something: below, the least delays between actors (1 to 2 us) leave each
 * thread too little to do before it has to hear from the others (bench/README.md).
 */
const WORTH_THREADS = { devices: 128, calls: 40_000 };
/**
 * With fewer cores `auto` takes one thread: V8's own threads for compilation and garbage collection already keep a second
 * one busy, and two simulations at once take 1.4 times as long as one (bench/README.md).
 */
const LEAST_CORES = 4;
/** Processes that meet nowhere but in collectives gain from fewer devices, once threads have paid for being started. */
const WORTH_PROCESSES = { devices: 2, calls: 40_000 };
/** With more shards than these all hosts stay in the first: each of the others would need a copy of the program. */
const MOST_WITH_HOSTS = 8;

/**
 * How many shards a choice comes to for a program and a machine with so many devices.
 *
 * @throws TooManyThreads for a number that the machine cannot start, however many devices there are
 */
export function shardCount(
  workers: Workers,
  program: Program,
  devices: number,
  processes: () => readonly Process[],
): number {
  if (workers === 'sequential') return 1;
  if (workers === 'per-device') return devices;
  if (workers === 'auto') return worthThreads(program, devices, processes) ? Math.min(cores(), devices) : 1;
  if (workers - 1 > mostThreads()) {
    throw new TooManyThreads(`${workers} threads; this machine can start ${mostThreads()} beside the calling one`);
  }
  return Math.min(workers, devices);
}

function worthThreads(program: Program, devices: number, processes: () => readonly Process[]): boolean {
  const calls = program.threads.reduce((sum, { calls: { length } }) => sum + length, 0);
  if (cores() < LEAST_CORES) return false;
  const worth = (of: typeof WORTH_THREADS): boolean => devices >= of.devices && calls >= of.calls;
  return worth(WORTH_THREADS) || (worth(WORTH_PROCESSES) && processes().length === devices);
}

/** What the host's calls cost beside what one device's share of the work does, by device, where the first shard makes all. */
const HOST_SHARE = 0.15;

/** Deals devices onto shards in runs; the first gets fewer where it makes the calls for all. Returns the shard by device. */
export function dealDevices(processes: readonly Process[], devices: number, shards: number): number[] {
  const share = hostsGoAlong(processes, shards) ? 0 : HOST_SHARE;
  const first = Math.max(1, Math.round(devices * ((1 + share) / shards - share)));
  return Array.from({ length: devices }, (_, d) => {
    return shards === 1 || d < first ? 0 : 1 + Math.floor(((d - first) * (shards - 1)) / (devices - first));
  });
}

/** Whether each process's host lives with its devices. */
function hostsGoAlong(processes: readonly Process[], shards: number): boolean {
  return processes.length > 1 && shards <= MOST_WITH_HOSTS;
}

/**
 * Deals all actors onto shards, by the shard of each device: hosts and links to the host go with their devices, and
 * what several devices share into the first. Each shard has a meeting place of its own.
 */
export function dealActors(
  actors: MachineActors,
  processes: readonly Process[],
  shardOfDevice: readonly number[],
  shards: number,
): number[][] {
  const dealt: number[][] = Array.from({ length: shards }, () => []);
  const links = new Map<number, number>();
  for (const [device, shard] of shardOfDevice.entries()) {
    const link = actors.plan.hostLinks[device];
    if (link?.own === true) links.set(link.fabric, shard);
  }
  const along = hostsGoAlong(processes, shards);
  for (let actor = 0; actor < actors.names.length; actor++) {
    const [device, process, place] = [actors.deviceOf(actor), actors.processOfHost(actor), actors.placeOf(actor)];
    let shard = links.get(actor) ?? 0;
    if (device >= 0) shard = shardOfDevice[device] as number;
    else if (place >= 0) shard = place;
    else if (process >= 0) shard = along ? (shardOfDevice[processes[process]?.devices[0] ?? 0] ?? 0) : 0;
    (dealt[shard] as number[]).push(actor);
  }
  return dealt;
}
