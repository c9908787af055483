import { type DeviceProfile, type Machine, MOST_DEVICES } from './machine.ts';
import { MachineError } from './machine-error.ts';
import { nearestName } from './nearest-name.ts';
import { A100 } from './profiles/a100.ts';
import { B200 } from './profiles/b200.ts';
import { H100 } from './profiles/h100.ts';
import { H200 } from './profiles/h200.ts';
import { MEASURED_HOST } from './profiles/hosts.ts';
import { RTX4090 } from './profiles/rtx4090.ts';
import { nodesTopology, nodeTopology } from './topologies.ts';

const DEVICES: readonly DeviceProfile[] = [A100, H100, H200, B200, RTX4090];
/** Devices of a node, or nodes and devices of each. */
const COUNTS = /^x(\d+)(?:x(\d+))?$/;

export interface MachineSummary {
  readonly name: string;
  readonly computeCapability: readonly [major: number, minor: number];
  readonly sms: number;
  readonly memoryBytes: number;
  /** True if its timing was measured on the device itself. */
  readonly measured: boolean;
}

/** The devices of the catalogue, each also the name of a machine with one of it. */
export function listMachines(): readonly MachineSummary[] {
  return DEVICES.map((device) => ({
    name: device.name,
    computeCapability: device.computeCapability,
    sms: device.limits.sms,
    memoryBytes: device.limits.memoryBytes,
    measured: device.timing.kernelLaunch.status === 'measured',
  }));
}

/** A device profile by name. Throws MachineError with the nearest name if there is none. */
export function deviceByName(name: string): DeviceProfile {
  const found = DEVICES.find((device) => device.name === name);
  if (found !== undefined) return found;
  const names = DEVICES.map((device) => device.name);
  const message = `unknown device '${name}', known are ${names.join(', ')}`;
  throw new MachineError(message, name, undefined, nearestName(name, names));
}

/**
 * A machine by name: `h200` is one device, `h200x8` a node of eight, `h200x4x8` four nodes of eight each. Devices of a
 * node are joined by an NVLink switch where they have NVLink, otherwise by PCIe. Throws MachineError on unknown names.
 */
export function machineByName(name: string): Machine {
  const device = DEVICES.find((each) => name === each.name || COUNTS.test(afterPrefix(name, each.name)));
  if (device === undefined) throw unknownMachine(name);
  const [, first, second] = COUNTS.exec(afterPrefix(name, device.name)) ?? [];
  const nodes = second === undefined ? 1 : Number(first);
  const perNode = Number(second ?? first ?? 1);
  const count = nodes * perNode;
  if (count < 1 || count > MOST_DEVICES) {
    throw new MachineError(`machine '${name}' has ${count} devices, 1 to ${MOST_DEVICES} are possible`, name);
  }
  const within = perNode === 1 ? ({ kind: 'pcie' } as const) : nodeTopology(device);
  return {
    name,
    devices: new Array<DeviceProfile>(count).fill(device),
    topology: nodes === 1 ? within : nodesTopology(perNode, within),
    host: MEASURED_HOST,
  };
}

/** What follows the name of a device in that of a machine; something that is no count if it is another device's. */
function afterPrefix(name: string, device: string): string {
  return name.startsWith(device) ? name.slice(device.length) : '?';
}

function unknownMachine(name: string): MachineError {
  const names = DEVICES.map((device) => device.name);
  const suffixes = [/$/, /(?:x\d+)$/, /(?:x\d+){2}$/].map((suffix) => suffix.exec(name)?.[0] ?? '');
  const candidates = suffixes.flatMap((suffix) => names.map((device) => device + suffix));
  const message = `unknown machine '${name}', known are ${names.join(', ')}, and with a count such as h200x8 or h200x4x8`;
  return new MachineError(message, name, undefined, nearestName(name, candidates));
}
