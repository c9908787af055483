import { type CollectiveGroups, CudaRuntime, collectiveGroups, type HostTimes, machineRules } from '@griddep/cuda';
import type { Machine } from '@griddep/machine';
import type { Program } from '@griddep/program';
import { flagsAwaitedByKernels } from '../awaited-flags.ts';
import type { Lifts } from '../lifts.ts';
import type { MachineActors } from '../machine-actors.ts';
import type { Process } from '../processes.ts';
import { TableSource } from './call-source.ts';
import { HostActor } from './host-actor.ts';
import type { LiveCalls } from './live-calls.ts';
import { StreamProgress } from './stream-progress.ts';

/** Numbers that V8 keeps without an object each; processes divide them among their operations. */
const NUMBERS = 2 ** 31 - 1;

/**
 * Makes the hosts of a program's processes. Those of one thread share a runtime, which holds the state of all: what one
 * process does, no other can see.
 */
export class ProcessHosts {
  readonly runtime: CudaRuntime;
  private readonly program: Program;
  private readonly machine: Machine;
  private readonly processes: readonly Process[];
  private readonly times: HostTimes;
  private readonly deviceFlags: ReadonlySet<string>;
  private readonly progress = new StreamProgress();
  private readonly live: LiveCalls | undefined;
  private readonly lifts: Lifts | undefined;

  /**
   * @param groups members of collectives, where not all calls of the program are here
   * @param live where calls are made while the simulation runs, instead of those of the program
   */
  constructor(
    program: Program,
    machine: Machine,
    processes: readonly Process[],
    times: HostTimes,
    groups: CollectiveGroups = collectiveGroups(program),
    live?: LiveCalls,
    lifts?: Lifts,
  ) {
    this.live = live;
    this.lifts = lifts;
    this.program = program;
    this.machine = machine;
    this.processes = processes;
    this.times = times;
    this.runtime = new CudaRuntime(program, machineRules(machine), times, groups, machine.host.implicitSynchronization);
    this.runtime.watch((stream, op) => this.progress.has(stream, op));
    this.deviceFlags = flagsAwaitedByKernels(program.kernels.values());
  }

  /** The host of a process, by its index. */
  make(process: number, actors: MachineActors): HostActor {
    const { program, machine, processes, runtime, progress, times, deviceFlags, live, lifts } = this;
    const { threads, devices } = processes[process] as Process;
    return new HostActor({
      name: actors.names[actors.hostOf(process)] as string,
      runtime,
      kernels: program.kernels,
      threads: threads.map((index) => {
        const { name, calls, callGap } = program.threads[index] as Program['threads'][number];
        return { index, name, source: live?.source(index) ?? new TableSource(calls), callGap };
      }),
      devices,
      progress,
      numbers: numbersOf(process, processes.length),
      deviceActors: machine.devices.map((_, i) => actors.actorOf(i)),
      commandArrival: actors.deviceTimes.map((t) => t.commandArrival),
      synchronizeReturn: times.synchronizeReturn,
      queueDepth: machine.host.queueDepth,
      deviceFlags,
      live,
      lifts,
    });
  }
}

/** A range of numbers for the operations of each process: apart, so that none depends on what another process does. */
export function numbersOf(process: number, processes: number): { next: number; readonly end: number } {
  if (processes === 1) return { next: 0, end: Number.POSITIVE_INFINITY };
  const share = Math.floor(NUMBERS / processes);
  return { next: process * share, end: (process + 1) * share };
}
