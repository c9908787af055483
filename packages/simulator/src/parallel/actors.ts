import type { Actor } from '@griddep/engine';
import { type Machine, resolveTiming } from '@griddep/machine';
import type { BasisEntry } from '@griddep/timeline';
import { DeviceActor } from '../device/device-actor.ts';
import type { DeviceResult } from '../device/device-result.ts';
import { ProcessHosts } from '../host/process-hosts.ts';
import { Basis, MachineActors, type MachineSetup } from '../machine-actors.ts';
import { type PackedProgram, unpackProgram } from './packed-program.ts';

/** What a thread needs to make actors: the program too, where hosts are among them. */
export interface RemoteSetup {
  readonly setup: MachineSetup;
  readonly program: PackedProgram | undefined;
}

/** What a device in another thread has recorded, and the constants that its thread used. */
export interface RemoteResult {
  readonly device: DeviceResult;
  readonly basis: readonly BasisEntry[];
}

/** Devices, fabrics, meeting places, and hosts other than the calling thread's, for a thread of their own (`ShardedModel`). */
export function createActors(data: unknown, ids: readonly number[]): Actor[] {
  const { setup, program } = data as RemoteSetup;
  const basis = new Basis();
  const actors = new MachineActors(setup, basis);
  const hosts = program === undefined ? undefined : hostsOf(setup, program);
  return ids.map((id): Actor => {
    const process = actors.processOfHost(id);
    if (process >= 0) return (hosts as ProcessHosts).make(process, actors) as Actor;
    const actor = actors.make(id);
    if (!(actor instanceof DeviceActor)) return actor as Actor;
    const result = (): RemoteResult => ({ device: actor.result(), basis: basis.sorted() });
    return {
      name: actor.name,
      receive: (message, source, context) => actor.receive(message as never, source, context),
      timer: (code, argument, context) => actor.timer(code, argument, context),
      result,
    };
  });
}

function hostsOf({ machine, processes }: MachineSetup, program: PackedProgram): ProcessHosts {
  return new ProcessHosts(unpackProgram(program), machine, processes, hostTimes(machine), program.groups);
}

/** The calling thread has noted the constants. */
function hostTimes({ host }: Machine) {
  return resolveTiming(host.timing, 'host', () => {});
}
