import { type Machine, resolveTiming } from '@griddep/machine';
import { connectionsAtStart, type Program } from '@griddep/program';
import type { Timeline } from '@griddep/timeline';
import { assembleTimeline } from './assemble.ts';
import { checkProgram } from './check.ts';
import type { DeviceResult } from './device/device-result.ts';
import type { HostResult } from './host/host-record.ts';
import type { LiveCalls } from './host/live-calls.ts';
import { ProcessHosts } from './host/process-hosts.ts';
import type { Lifts } from './lifts.ts';
import { Basis, MachineActors, type MachineSetup } from './machine-actors.ts';
import type { SimulateOptions } from './options.ts';
import { type Process, processesOf, wholeProcess } from './processes.ts';

/** A simulation before it runs, whatever runs it. */
export interface Prepared {
  readonly hosts: ProcessHosts;
  readonly setup: MachineSetup;
  readonly actors: MachineActors;
  readonly basis: Basis;
  /** The timeline from what hosts and devices recorded, the devices in order. */
  timeline(hosts: readonly HostResult[], devices: readonly DeviceResult[]): Timeline;
}

/**
 * @param placesOf by device, the number of its meeting place; all have one if absent
 * @param live calls that are made while the simulation runs: the program is one process then
 * @throws ProgramError when the machine cannot run the program at all (checkProgram)
 */
export function prepare(
  program: Program,
  given: Machine,
  options: SimulateOptions,
  placesOf: (processes: readonly Process[]) => readonly number[] = () => given.devices.map(() => 0),
  live?: LiveCalls,
  lifts?: Lifts,
): Prepared {
  const machine = inEnvironment(given, program);
  checkProgram(program, machine);
  const basis = new Basis();
  const hostTimes = resolveTiming(machine.host.timing, 'host', basis.note);
  const devices = machine.devices.length;
  const processes = live === undefined ? processesOf(program, devices) : [wholeProcess(program, devices)];
  const hosts = new ProcessHosts(program, machine, processes, hostTimes, live?.groups, live, lifts);
  const setup: MachineSetup = {
    machine,
    kernels: [...program.kernels.values()],
    buffers: new Map(program.buffers),
    streams: hosts.runtime.streams.map(({ device, priority }) => ({ device, priority })),
    processes,
    places: placesOf(processes),
    blockByBlock: options.blockByBlock === true,
    recordBlocks: options.recordBlocks === true,
    ...(lifts === undefined ? {} : { lifts }),
  };
  const actors = new MachineActors(setup, basis);
  const timeline: Prepared['timeline'] = (recorded, devices) =>
    assembleTimeline(program, machine, recorded, devices, basis.sorted());
  return { hosts, setup, actors, basis, timeline };
}

/** The machine with the number of hardware queues that the program asks for before its context is made (rule 5.11). */
function inEnvironment(machine: Machine, program: Program): Machine {
  const maxConnections = connectionsAtStart(program);
  return maxConnections === undefined ? machine : { ...machine, host: { ...machine.host, maxConnections } };
}
