import { type Machine, resolveTiming } from '@griddep/machine';
import type { Buffer, Kernel } from '@griddep/program';
import type { BasisEntry } from '@griddep/timeline';
import { CollectiveActor } from './collective/collective-actor.ts';
import type { DeviceTimes } from './device/body.ts';
import { DeviceActor } from './device/device-actor.ts';
import { Neighbours } from './device/neighbours.ts';
import { FabricActor, type FabricSpec } from './fabric/fabric-actor.ts';
import { type TopologyPlan, topologyPlan } from './fabric/topology-plan.ts';
import type { Lifts } from './lifts.ts';
import { type Process, processOfDevice } from './processes.ts';

/** The actor of the first process's host. */
export const HOST = 0;

/** What the actors of a machine are made from: plain data, which can go to other threads. */
export interface MachineSetup {
  readonly machine: Machine;
  readonly kernels: Kernel[];
  readonly buffers: Map<string, Buffer>;
  /** Of the whole program, by index. */
  readonly streams: { readonly device: number; readonly priority: number }[];
  readonly processes: readonly Process[];
  /** By device, the number of the place at which its part in collectives meets the others: all of a shard have one. */
  readonly places: readonly number[];
  readonly blockByBlock: boolean;
  readonly recordBlocks: boolean;
  /** Only where all actors are in one thread. */
  readonly lifts?: Lifts;
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

/**
 * Makes the actors of a machine: actor 0 is the host of the first process, then come the devices, the fabrics, the hosts of
 * the other processes, and the places at which the members of collectives meet.
 */
export class MachineActors {
  readonly deviceTimes: readonly DeviceTimes[];
  readonly plan: TopologyPlan;
  /** By actor, the host's first. */
  readonly names: readonly string[];
  private readonly setup: MachineSetup;
  private readonly processOf: readonly number[];
  private readonly firstOtherHost: number;
  private readonly firstPlace: number;
  private unnoted: MachineActors | undefined;

  constructor(setup: MachineSetup, basis: Basis) {
    const { devices } = setup.machine;
    this.setup = setup;
    this.deviceTimes = devices.map((d) => resolveTiming(d.timing, d.name, basis.note));
    this.plan = topologyPlan(setup.machine, this.deviceTimes, HOST + 1 + devices.length, basis.note);
    const { processes, places } = setup;
    this.processOf = processOfDevice(processes, devices.length);
    this.firstOtherHost = HOST + 1 + devices.length + this.plan.fabrics.length;
    this.firstPlace = this.firstOtherHost + processes.length - 1;
    const host = (i: number): string => (processes.length === 1 ? 'host' : `host of process ${i}`);
    const place = (i: number): string => (i === 0 ? 'collectives' : `collectives ${i}`);
    this.names = [
      host(0),
      ...devices.map((_, i) => `device ${i}`),
      ...this.plan.fabrics.map(({ name }) => name),
      ...processes.slice(1).map((_, i) => host(i + 1)),
      ...Array.from({ length: 1 + Math.max(0, ...places) }, (_, i) => place(i)),
    ];
  }

  /** The same, of which nobody notes what constants are read. */
  get quiet(): MachineActors {
    this.unnoted ??= new MachineActors(this.setup, new Basis());
    return this.unnoted;
  }

  /** Actor of a process's host. */
  hostOf(process: number): number {
    return process === 0 ? HOST : this.firstOtherHost + process - 1;
  }

  /** Index of the process whose host an actor is, or -1. */
  processOfHost(actor: number): number {
    if (actor === HOST) return 0;
    return actor >= this.firstOtherHost && actor < this.firstPlace ? actor - this.firstOtherHost + 1 : -1;
  }

  /** Index of a device's process. */
  processOfDevice(device: number): number {
    return this.processOf[device] as number;
  }

  /** Devices of a process, by index. */
  devicesOfProcess(process: number): readonly number[] {
    return this.setup.processes[process]?.devices ?? [];
  }

  /** Number of the meeting place that an actor is, or -1. */
  placeOf(actor: number): number {
    return actor >= this.firstPlace ? actor - this.firstPlace : -1;
  }

  /** Number of the meeting place of a device. */
  placeOfDevice(device: number): number {
    return this.setup.places[device] as number;
  }

  /** The actors at which the members of collectives meet. */
  get places(): readonly number[] {
    return this.names.flatMap((_, actor) => (actor >= this.firstPlace ? [actor] : []));
  }

  /** Actor of a device. */
  actorOf(device: number): number {
    return HOST + 1 + device;
  }

  /** Index of the device that an actor is, or -1. */
  deviceOf(actor: number): number {
    return actor > HOST && actor <= this.deviceTimes.length ? actor - HOST - 1 : -1;
  }

  /** @throws RangeError for a host's actor, and for one that is not there */
  make(actor: number): DeviceActor | FabricActor | CollectiveActor {
    const device = this.deviceOf(actor);
    if (device >= 0) return this.device(device);
    const place = this.placeOf(actor);
    if (place < 0) return new FabricActor(this.fabric(actor));
    return new CollectiveActor({
      name: this.names[actor] as string,
      place,
      times: this.deviceTimes,
      plan: this.plan,
      actorOf: (of) => this.actorOf(of),
      placeOf: (of) => this.placeOfDevice(of),
      actorOfPlace: (number) => this.firstPlace + number,
    });
  }

  /** What a fabric knows. @throws RangeError for an actor that is none */
  fabric(actor: number): FabricSpec {
    const fabric = this.plan.fabrics[actor - HOST - 1 - this.deviceTimes.length];
    if (fabric === undefined) throw new RangeError(`no fabric is actor ${actor}`);
    return fabric;
  }

  device(index: number): DeviceActor {
    const { machine, kernels, buffers, streams, blockByBlock, recordBlocks, lifts } = this.setup;
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
      lifts,
      fabric: (this.plan.hostLinks[index] as TopologyPlan['hostLinks'][number]).fabric,
      host: this.hostOf(this.processOfDevice(index)),
      collectives: this.firstPlace + this.placeOfDevice(index),
      neighbours: new Neighbours(this.actorsAround(index), (other) => ({
        actor: this.actorOf(other),
        signal: () => this.plan.signal(index, other),
        path: () => this.plan.path(index, other),
      })),
    });
  }

  /** Actors of the devices of a device's process. */
  private actorsAround(device: number): number[] {
    return this.devicesOfProcess(this.processOfDevice(device)).map((each) => this.actorOf(each));
  }
}
