import type { Actor } from '@griddep/engine';
import { resolveTiming } from '@griddep/machine';
import type { BasisEntry } from '@griddep/timeline';
import { DeviceActor } from '../device/device-actor.ts';
import type { DeviceResult } from '../device/device-result.ts';
import { HostActor } from '../host/host-actor.ts';
import type { HostResult } from '../host/host-record.ts';
import { ProcessHosts } from '../host/process-hosts.ts';
import { Basis, MachineActors, type MachineSetup } from '../machine-actors.ts';
import { type PackedProgram, unpackProgram } from './packed-program.ts';

/** What a thread needs to make actors: the program too, where hosts are among them. */
export interface RemoteSetup {
  readonly setup: MachineSetup;
  readonly program: PackedProgram | undefined;
}

/** What a device or a host in another thread has recorded, and the constants that its thread used. */
export interface RemoteResult<R = DeviceResult | HostResult> {
  readonly recorded: R;
  readonly basis: readonly BasisEntry[];
}

/** Devices, fabrics, meeting places, and hosts other than the calling thread's, for a thread of their own (`ShardedModel`). */
export function createActors(data: unknown, ids: readonly number[]): Actor[] {
  const { setup, program } = data as RemoteSetup;
  const basis = new Basis();
  const actors = new MachineActors(setup, basis);
  const hosts = program === undefined ? undefined : hostsOf(setup, program, basis);
  return ids.map((id): Actor => {
    const process = actors.processOfHost(id);
    const actor = process < 0 ? actors.make(id) : (hosts as ProcessHosts).make(process, actors);
    if (!(actor instanceof DeviceActor || actor instanceof HostActor)) return actor as Actor;
    return telling(actor as Actor, basis);
  });
}

/** The actor, with the constants that its thread used beside what it recorded. */
export function telling(actor: Actor, basis: Basis): Actor {
  const result = (): RemoteResult => ({
    recorded: actor.result?.() as RemoteResult['recorded'],
    basis: basis.sorted(),
  });
  return {
    name: actor.name,
    start: (context) => actor.start?.(context),
    receive: (message, source, context) => actor.receive(message, source, context),
    timer: (code, argument, context) => actor.timer(code, argument, context),
    ...(actor.interim === undefined ? {} : { interim: (before: number) => actor.interim?.(before) }),
    result,
  };
}

function hostsOf({ machine, processes }: MachineSetup, program: PackedProgram, basis: Basis): ProcessHosts {
  const times = resolveTiming(machine.host.timing, 'host', basis.note);
  return new ProcessHosts(unpackProgram(program), machine, processes, times, program.groups);
}
