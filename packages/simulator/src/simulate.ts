import { CudaRuntime, deviceRules } from '@griddep/cuda';
import { type Actor, runSequential, TimeOverflow } from '@griddep/engine';
import { type Machine, nodeOf, resolveTiming } from '@griddep/machine';
import type { Program } from '@griddep/program';
import type { BasisEntry, Timeline } from '@griddep/timeline';
import { assembleTimeline } from './assemble.ts';
import { checkProgram } from './check.ts';
import { DeviceActor } from './device/device-actor.ts';
import { FabricActor } from './fabric/fabric-actor.ts';
import { topologyPlan } from './fabric/topology-plan.ts';
import { TableSource } from './host/call-source.ts';
import { HostActor } from './host/host-actor.ts';
import { type SimulateOptions, SimulationLimit } from './options.ts';
import { timeLimit } from './time-limit.ts';

/**
 * Simulates what a machine does with a program.
 *
 * @returns the timeline; what can never finish is listed in its `stuck`, CUDA errors in its `errors`.
 * @throws ProgramError when the machine cannot run the program at all (checkProgram).
 * @throws SimulationLimit when `maxEvents` is reached, or simulated time passes 2.5 hours.
 */
export function simulate(program: Program, machine: Machine, options: SimulateOptions = {}): Timeline {
  checkProgram(program, machine);
  const basis = new Map<string, BasisEntry>();
  const uses = (name: string, constant: { readonly status: BasisEntry['status'] }) =>
    basis.set(name, { constant: name, status: constant.status });
  const hostTimes = resolveTiming(machine.host.timing, 'host', uses);
  const deviceTimes = machine.devices.map((d) => resolveTiming(d.timing, d.name, uses));
  const rules = machine.devices.map((d, i) => deviceRules(d, machine.host.cudaVersion, nodeOf(machine.topology, i)));
  const runtime = new CudaRuntime(program, rules, hostTimes);

  // Actor ids: the host, the devices, the fabrics.
  const deviceActors = machine.devices.map((_, i) => 1 + i);
  const plan = topologyPlan(machine, deviceTimes, 1 + machine.devices.length, uses);
  const host = new HostActor({
    name: 'host',
    runtime,
    kernels: program.kernels,
    threads: program.threads.map((t) => ({ name: t.name, source: new TableSource(t.calls), callGap: t.callGap })),
    deviceActors,
    commandArrival: deviceTimes.map((t) => t.commandArrival),
    synchronizeReturn: hostTimes.synchronizeReturn,
    queueDepth: machine.host.queueDepth,
  });
  const streams = runtime.streams.map(({ device, priority }) => ({ device, priority }));
  const kernels = [...program.kernels.values()];
  const devices = machine.devices.map(
    (profile, index) =>
      new DeviceActor({
        index,
        limits: profile.limits,
        times: deviceTimes[index] as (typeof deviceTimes)[number],
        kernels,
        buffers: program.buffers,
        streams,
        hardwareQueues: Math.min(profile.limits.hardwareQueues, machine.host.maxConnections),
        blockByBlock: options.blockByBlock === true,
        recordBlocks: options.recordBlocks === true,
        fabric: (plan.hostLinks[index] as (typeof plan.hostLinks)[number]).fabric,
        host: 0,
        neighbours: deviceActors.map((actor, other) => ({
          actor,
          signal: () => plan.signal(index, other),
          path: () => plan.path(index, other),
        })),
      }),
  );
  const fabrics = plan.fabrics.map((fabric) => new FabricActor(fabric));
  const actors = [host, ...devices, ...fabrics] as Actor[];

  try {
    const run = runSequential(actors, {
      ...(options.maxEvents === undefined ? {} : { maxEvents: options.maxEvents }),
      ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
    });
    if (run.outcome === 'limit') {
      const at = `${(run.time / 1e6).toFixed(1)} us of simulated time`;
      throw new SimulationLimit(`gave up after ${run.events} events, at ${at}`);
    }
  } catch (error) {
    if (!(error instanceof TimeOverflow)) throw error;
    throw timeLimit(
      host.result(),
      devices.map((device) => device.result()),
    );
  }
  return assembleTimeline(
    program,
    machine,
    host.result(),
    devices.map((device) => device.result()),
    [...basis.values()].sort((a, b) => (a.constant < b.constant ? -1 : 1)),
  );
}
