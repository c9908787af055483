import type { Actor } from '@griddep/engine';
import type { BasisEntry } from '@griddep/timeline';
import { DeviceActor } from '../device/device-actor.ts';
import type { DeviceResult } from '../device/device-result.ts';
import { Basis, MachineActors, type MachineSetup } from '../machine-actors.ts';

/** What a device in another thread has recorded, and the constants that its thread used. */
export interface RemoteResult {
  readonly device: DeviceResult;
  readonly basis: readonly BasisEntry[];
}

/** Devices and fabrics for a thread of their own (`ShardedModel`). */
export function createActors(data: unknown, ids: readonly number[]): Actor[] {
  const basis = new Basis();
  const actors = new MachineActors(data as MachineSetup, basis);
  return ids.map((id): Actor => {
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
