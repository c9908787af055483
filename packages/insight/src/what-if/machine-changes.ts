import { type Constant, type DeviceProfile, type Machine, machineByName } from '@griddep/machine';
import { ProgramError } from '@griddep/program';
import { scaledKernel } from '../changes/scale.ts';
import type { Assumption } from './assumption.ts';
import type { Change } from './change.ts';

/**
 * Another machine. Measured durations of kernels are those of the machine before: they are taken to change as the
 * bandwidth of device memory does, between as the number of SMs does and not at all.
 */
export function machineChange(machine: Machine, from: Machine): Change {
  const [a, b] = [from.devices[0], machine.devices[0]] as [DeviceProfile, DeviceProfile];
  const byMemory = a.timing.memoryBandwidth.value / b.timing.memoryBandwidth.value;
  const bySms = a.limits.sms / b.limits.sms;
  const assumption: Assumption = {
    what: `durations of kernels measured on ${a.name}, on ${b.name}`,
    value: round(byMemory),
    low: round(Math.min(byMemory, bySms, 1)),
    high: round(Math.max(byMemory, bySms, 1)),
    unit: 'times',
    source: 'the bandwidths of device memory; the range has the numbers of SMs, and no change',
  };
  return {
    name: `--machine ${machine.name}`,
    what: `runs on ${machine.name}`,
    assumptions: [assumption],
    apply: ({ program, machine: before }, setting) => {
      const { value, low, high } = assumption;
      const factor = setting === 'usual' ? value : setting === 'quick' ? low : high;
      const kernels = new Map(
        [...program.kernels].map(([name, kernel]) => [
          name,
          kernel.body.kind === 'duration' ? scaledKernel(kernel, factor) : kernel,
        ]),
      );
      // Another change may have given it more devices than it came with.
      const count = before.devices.length > from.devices.length ? before.devices.length : 0;
      return { program: { ...program, kernels }, machine: withDevices(machine, count, machineByName) };
    },
  };
}

/** `count` copy engines to and from the host: one for both directions, or as evenly divided as it goes. */
export function copyEnginesChange(count: number): Change {
  const [up, down] = count === 1 ? [1, 0] : [Math.ceil(count / 2), Math.floor(count / 2)];
  return {
    name: `--copy-engines ${count}`,
    what: count === 1 ? 'one copy engine for both directions' : `${up} copy engines up, ${down} down`,
    apply: ({ program, machine }) => ({
      program,
      machine: {
        ...machine,
        devices: machine.devices.map((device) => ({
          ...device,
          limits: { ...device.limits, copyEnginesUp: up, copyEnginesDown: down },
        })),
      },
    }),
  };
}

/** Every launch of a kernel costs the host `time`, ps. */
export function launchCostChange(time: number, text: string): Change {
  const constant = (old: Constant): Constant => ({
    value: time / (old.unit === 'us' ? 1e6 : 1e3),
    unit: old.unit,
    status: 'assumed',
    source: '--launch-cost',
  });
  return {
    name: `--launch-cost ${text}`,
    what: `a launch of a kernel costs the host ${text}`,
    apply: ({ program, machine }) => {
      const { timing } = machine.host;
      const launches = {
        launchKernel: constant(timing.launchKernel),
        launchKernelProgrammatic: constant(timing.launchKernelProgrammatic),
      };
      return { program, machine: { ...machine, host: { ...machine.host, timing: { ...timing, ...launches } } } };
    },
  };
}

/** A machine with at least `count` devices, further ones like its first. @throws ProgramError if it joins them in no known way */
export function withDevices(machine: Machine, count: number, wider: (name: string) => Machine): Machine {
  const [first] = machine.devices;
  if (machine.devices.length >= count || first === undefined) return machine;
  const name = `${first.name}x${count}`;
  try {
    const { topology } = wider(name);
    return {
      ...machine,
      name,
      topology,
      devices: Array.from({ length: count }, (_, i) => machine.devices[i] ?? first),
    };
  } catch {
    throw new ProgramError(`no machine of ${count} devices like ${machine.name} is known; give one with --machine`, {
      offending: String(count),
      path: [],
    });
  }
}

function round(factor: number): number {
  return Math.round(factor * 1000) / 1000;
}
