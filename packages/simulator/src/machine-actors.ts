import { type Machine, resolveTiming } from '@griddep/machine';
import type { Buffer, Kernel } from '@griddep/program';
import type { BasisEntry } from '@griddep/timeline';
import { CollectiveActor } from './collective/collective-actor.ts';
import type { DeviceTimes } from './device/body.ts';
import { DeviceActor } from './device/device-actor.ts';
import { Neighbours } from './device/neighbours.ts';
import { FabricActor, type FabricSpec } from './fabric/fabric-actor.ts';
import { type TopologyPlan, topologyPlan } from './fabric/topology-plan.ts';

/** The host's actor. */
export const HOST = 0;

/** What the actors of a machine are made from: plain data, which can go to other threads. */
export interface MachineSetup {
  readonly machine: Machine;
  readonly kernels: readonly Kernel[];
  readonly buffers: ReadonlyMap<string, Buffer>;
  /** Of the whole program, by index. */
  readonly streams: readonly { readonly device: number; readonly priority: number }[];
  readonly blockByBlock: boolean;
  readonly recordBlocks: boolean;
}

/** Constants that were used, by name. */
export class Basis {
  private readonly entries = new Map<string, BasisEntry>();
  readonly note = (constant: string, { status }: { readonly status: BasisEntry['status'] }): void => {
    this.entries.set(constant, { constant, status });
  };

  /** Adds what another thread used. */
  add(entries: readonly BasisEntry[]): void {
    for (const entry of entries) this.entries.set(entry.constant, entry);
  }

  /** In the order of the names. */
  sorted(): BasisEntry[] {
    return [...this.entries.values()].sort((a, b) => (a.constant < b.constant ? -1 : 1));
  }
}

/** Makes the actors of a machine: actor 0 is the host's, then come the devices, the fabrics, and one for collectives. */
export class MachineActors {
  readonly deviceTimes: readonly DeviceTimes[];
  readonly plan: TopologyPlan;
  /** By actor, the host's first. */
  readonly names: readonly string[];
  private readonly setup: MachineSetup;
  private readonly deviceActors: readonly number[];
  private unnoted: MachineActors | undefined;

  constructor(setup: MachineSetup, basis: Basis) {
    const { devices } = setup.machine;
    this.setup = setup;
    this.deviceTimes = devices.map((d) => resolveTiming(d.timing, d.name, basis.note));
    this.plan = topologyPlan(setup.machine, this.deviceTimes, HOST + 1 + devices.length, basis.note);
    const names = ['host', ...devices.map((_, i) => `device ${i}`), ...this.plan.fabrics.map(({ name }) => name)];
    this.names = [...names, 'collectives'];
    this.deviceActors = devices.map((_, i) => this.actorOf(i));
  }

  /** The same, of which nobody notes what constants are read. */
  get quiet(): MachineActors {
    this.unnoted ??= new MachineActors(this.setup, new Basis());
    return this.unnoted;
  }

  /** The actor at which the members of collectives meet. */
  get collectives(): number {
    return this.names.length - 1;
  }

  /** Actor of a device. */
  actorOf(device: number): number {
    return HOST + 1 + device;
  }

  /** Index of the device that an actor is, or -1. */
  deviceOf(actor: number): number {
    return actor > HOST && actor <= this.deviceTimes.length ? actor - HOST - 1 : -1;
  }

  /** @throws RangeError for the host's actor, and for one that is not there */
  make(actor: number): DeviceActor | FabricActor | CollectiveActor {
    const device = this.deviceOf(actor);
    if (device >= 0) return this.device(device);
    if (actor === this.collectives) {
      const { plan, deviceTimes: times } = this;
      return new CollectiveActor({ name: 'collectives', times, plan, actorOf: (of) => this.actorOf(of) });
    }
    return new FabricActor(this.fabric(actor));
  }

  /** What a fabric knows. @throws RangeError for an actor that is none */
  fabric(actor: number): FabricSpec {
    const fabric = this.plan.fabrics[actor - HOST - 1 - this.deviceTimes.length];
    if (fabric === undefined) throw new RangeError(`no fabric is actor ${actor}`);
    return fabric;
  }

  device(index: number): DeviceActor {
    const { machine, kernels, buffers, streams, blockByBlock, recordBlocks } = this.setup;
    const { limits } = machine.devices[index] as (typeof machine.devices)[number];
    return new DeviceActor({
      index,
      limits,
      times: this.deviceTimes[index] as DeviceTimes,
      kernels,
      buffers,
      streams,
      hardwareQueues: Math.min(limits.hardwareQueues, machine.host.maxConnections),
      blockByBlock,
      recordBlocks,
      fabric: (this.plan.hostLinks[index] as TopologyPlan['hostLinks'][number]).fabric,
      host: HOST,
      collectives: this.collectives,
      neighbours: new Neighbours(this.deviceActors, (other) => ({
        actor: this.actorOf(other),
        signal: () => this.plan.signal(index, other),
        path: () => this.plan.path(index, other),
      })),
    });
  }
}
