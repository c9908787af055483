import { CudaRuntime, deviceRules } from '@griddep/cuda';
import { type Machine, nodeOf, resolveTiming } from '@griddep/machine';
import type { Program } from '@griddep/program';
import type { Timeline } from '@griddep/timeline';
import { assembleTimeline } from './assemble.ts';
import { flagsAwaitedByKernels } from './awaited-flags.ts';
import { checkProgram } from './check.ts';
import type { DeviceResult } from './device/device-result.ts';
import { TableSource } from './host/call-source.ts';
import { HostActor } from './host/host-actor.ts';
import { Basis, MachineActors, type MachineSetup } from './machine-actors.ts';
import type { SimulateOptions } from './options.ts';

/** A simulation before it runs, whatever runs it. */
export interface Prepared {
  readonly host: HostActor;
  readonly setup: MachineSetup;
  readonly actors: MachineActors;
  readonly basis: Basis;
  /** The timeline from what the devices recorded, in order. */
  timeline(devices: readonly DeviceResult[]): Timeline;
}

/** @throws ProgramError when the machine cannot run the program at all (checkProgram) */
export function prepare(program: Program, machine: Machine, options: SimulateOptions): Prepared {
  checkProgram(program, machine);
  const basis = new Basis();
  const hostTimes = resolveTiming(machine.host.timing, 'host', basis.note);
  const rules = machine.devices.map((d, i) => deviceRules(d, machine.host.cudaVersion, nodeOf(machine.topology, i)));
  const runtime = new CudaRuntime(program, rules, hostTimes);
  const setup: MachineSetup = {
    machine,
    kernels: [...program.kernels.values()],
    buffers: program.buffers,
    streams: runtime.streams.map(({ device, priority }) => ({ device, priority })),
    blockByBlock: options.blockByBlock === true,
    recordBlocks: options.recordBlocks === true,
  };
  const actors = new MachineActors(setup, basis);
  const host = new HostActor({
    name: 'host',
    runtime,
    kernels: program.kernels,
    threads: program.threads.map((t) => ({ name: t.name, source: new TableSource(t.calls), callGap: t.callGap })),
    deviceActors: machine.devices.map((_, i) => actors.actorOf(i)),
    commandArrival: actors.deviceTimes.map((t) => t.commandArrival),
    synchronizeReturn: hostTimes.synchronizeReturn,
    queueDepth: machine.host.queueDepth,
    deviceFlags: flagsAwaitedByKernels(program.kernels.values()),
  });
  const timeline = (devices: readonly DeviceResult[]): Timeline =>
    assembleTimeline(program, machine, host.result(), devices, basis.sorted());
  return { host, setup, actors, basis, timeline };
}
