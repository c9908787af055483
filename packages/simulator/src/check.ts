import { checkLaunch, deviceRules, initialBuffers } from '@griddep/cuda';
import type { Machine } from '@griddep/machine';
import { type Call, type Kernel, type Program, ProgramError, volume } from '@griddep/program';

/**
 * Checks what a program asks of a machine and no run could give: devices that are not there, kernels beyond the
 * device's limits, buffers beyond its memory.
 *
 * @throws ProgramError with the path of the first problem in the program's document.
 */
export function checkProgram(program: Program, machine: Machine): void {
  checkDevices(program, machine);
  checkKernels(program, machine);
  checkGraphLaunches(program, machine);
  checkMemory(program, machine);
}

function checkDevices(program: Program, machine: Machine): void {
  const count = machine.devices.length;
  const check = (device: number, path: (string | number)[]): void => {
    if (device < count) return;
    const [{ name = '' } = {}] = machine.devices;
    const wider = machine.name === name || machine.name === `${name}x${count}` ? `; try ${name}x${device + 1}` : '';
    const problem = `device ${device} does not exist: machine "${machine.name}" has ${count}, numbered from 0${wider}`;
    throw new ProgramError(problem, { path, offending: String(device) });
  };
  for (const { name, device } of program.streams.values()) check(device, ['streams', name, 'device']);
  for (const { name, device } of program.events.values()) check(device, ['events', name, 'device']);
  for (const { name, device } of program.buffers.values()) check(device, ['buffers', name, 'device']);
  for (const [i, { device }] of program.threads.entries()) check(device, ['threads', i, 'device']);
}

function checkKernels(program: Program, machine: Machine): void {
  const devices = devicesOfKernels(program);
  for (const kernel of program.kernels.values()) {
    if (devices.has(kernel.name)) checkSize(kernel);
    for (const index of devices.get(kernel.name) ?? []) {
      const profile = machine.devices[index];
      if (profile === undefined) continue;
      const refused = checkLaunch(kernel, {}, deviceRules(profile, machine.host.cudaVersion));
      if (refused === undefined) continue;
      const path = ['kernels', kernel.name, fieldAtFault(kernel, profile.limits)];
      throw new ProgramError(`${refused.message} on ${profile.name} (${refused.name})`, { path });
    }
  }
}

/** Not a limit of CUDA's: every block is simulated, and this many take minutes and gigabytes. */
const MOST_BLOCKS = 2 ** 26;

function checkSize({ name, grid }: Kernel): void {
  const blocks = volume(grid);
  if (blocks <= MOST_BLOCKS) return;
  throw new ProgramError(
    `kernel "${name}": a grid of ${blocks} blocks is too large to simulate, at most ${MOST_BLOCKS} are possible`,
    { path: ['kernels', name, 'grid'], offending: String(blocks) },
  );
}

/** Launches in graphs made by hand, whose attributes no call checks later. */
function checkGraphLaunches(program: Program, machine: Machine): void {
  for (const { name, nodes } of program.graphs.values()) {
    for (const [i, { call }] of nodes.entries()) {
      if (call.kind !== 'launchKernel') continue;
      const profile = machine.devices[program.streams.get(call.stream)?.device ?? 0];
      const kernel = program.kernels.get(call.kernel);
      if (profile === undefined || kernel === undefined) continue;
      const refused = checkLaunch(kernel, call.attributes, deviceRules(profile, machine.host.cudaVersion));
      if (refused === undefined) continue;
      const path = ['graphs', name, 'nodes', i, 'launchKernel'];
      throw new ProgramError(`${refused.message} on ${profile.name} (${refused.name})`, { path });
    }
  }
}

/** Devices that each kernel is launched on. */
function devicesOfKernels(program: Program): Map<string, Set<number>> {
  const devices = new Map<string, Set<number>>();
  const note = (call: Call): void => {
    if (call.kind !== 'launchKernel') return;
    const known = devices.get(call.kernel) ?? new Set();
    devices.set(call.kernel, known.add(program.streams.get(call.stream)?.device ?? 0));
  };
  for (const { calls } of program.threads) for (let i = 0; i < calls.length; i++) note(calls.at(i));
  for (const graph of program.graphs.values()) for (const node of graph.nodes) note(node.call);
  return devices;
}

function fieldAtFault(kernel: Kernel, limits: Machine['devices'][number]['limits']): string {
  const threads = kernel.block[0] * kernel.block[1] * kernel.block[2];
  if (threads > limits.threadsPerBlock) return 'block';
  if (kernel.staticSharedMemory > limits.staticSharedMemory) return 'staticSharedMemory';
  if (kernel.staticSharedMemory + kernel.dynamicSharedMemory > limits.sharedMemoryPerBlockOptIn) {
    return kernel.dynamicSharedMemory > 0 ? 'dynamicSharedMemory' : 'staticSharedMemory';
  }
  return kernel.cluster !== undefined ? 'cluster' : 'registersPerThread';
}

/** Buffers that no call allocates exist from the start, and must fit together. */
function checkMemory(program: Program, machine: Machine): void {
  for (const { buffer, taken } of initialBuffers(program)) {
    const capacity = machine.devices[buffer.device]?.limits.memoryBytes ?? 0;
    if (taken <= capacity) continue;
    throw new ProgramError(
      `buffer "${buffer.name}" does not fit: device ${buffer.device} has ${capacity} bytes, and the buffers up to this one take ${taken} (cudaErrorMemoryAllocation)`,
      { path: ['buffers', buffer.name, 'bytes'], offending: String(buffer.bytes) },
    );
  }
}
