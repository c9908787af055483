import type { Constant, DeviceProfile, Machine, Topology } from '@griddep/machine';
import { readMachine, writeMachine } from '@griddep/machine/file';
import type { Value } from '@griddep/program';

/** A number of a machine that a run has otherwise. `relative` values are factors of the machine's own. */
export interface MachineChange {
  readonly kind: 'constant' | 'limit' | 'host' | 'link';
  readonly name: string;
  readonly value: Value;
  readonly relative?: boolean;
}

/**
 * The machine with some numbers of all its devices, its host or its links changed.
 *
 * @throws MachineError where a machine cannot be so
 */
export function changeMachine(machine: Machine, changes: readonly MachineChange[]): Machine {
  if (changes.length === 0) return machine;
  const devices = new Map<DeviceProfile, DeviceProfile>();
  for (const device of machine.devices) if (!devices.has(device)) devices.set(device, changedDevice(device, changes));
  const changed: Machine = {
    ...machine,
    devices: machine.devices.map((device) => devices.get(device) as DeviceProfile),
    host: {
      ...machine.host,
      ...Object.fromEntries(changes.filter(({ kind }) => kind === 'host').map(({ name, value }) => [name, value])),
      timing: changedTiming(machine.host.timing, changes),
    },
    topology: changedTopology(machine.topology, changes, false),
  };
  // Reading it again checks every number and how they fit together.
  return readMachine(writeMachine(changed, 'json'), `machine ${machine.name} as changed`);
}

function changedDevice(device: DeviceProfile, changes: readonly MachineChange[]): DeviceProfile {
  const limits: Record<string, unknown> = { ...device.limits };
  for (const change of changes) {
    if (change.kind === 'limit') limits[change.name] = numberOf(change, limits[change.name] as number);
  }
  return {
    ...device,
    limits: limits as unknown as DeviceProfile['limits'],
    timing: changedTiming(device.timing, changes),
  };
}

function changedTiming<T extends Readonly<Record<string, Constant>>>(timing: T, changes: readonly MachineChange[]): T {
  const changed: Record<string, Constant> = { ...timing };
  for (const change of changes) {
    const constant = changed[change.name];
    if (change.kind === 'constant' && constant !== undefined) changed[change.name] = withValue(constant, change);
  }
  return changed as T;
}

function changedTopology(topology: Topology, changes: readonly MachineChange[], inNode: boolean): Topology {
  if (topology.kind === 'pcie') return topology;
  const isNetwork = topology.kind === 'nodes' && !inNode;
  const links = changes.filter(({ kind }) => kind === 'link');
  let { bandwidth, latency } = topology;
  for (const change of links) {
    if (change.name === (isNetwork ? 'networkBandwidth' : 'bandwidth')) bandwidth = withValue(bandwidth, change);
    if (change.name === (isNetwork ? 'networkLatency' : 'latency')) latency = withValue(latency, change);
  }
  return topology.kind === 'nodes'
    ? { ...topology, bandwidth, latency, within: changedTopology(topology.within, changes, true) }
    : { ...topology, bandwidth, latency };
}

/** A constant that was set stands for itself: its spread is gone, and nobody measured it. */
function withValue({ value, unit }: Constant, change: MachineChange): Constant {
  return { value: numberOf(change, value), unit, status: 'assumed', source: 'set by a sweep' };
}

function numberOf({ value, relative }: MachineChange, own: number): number {
  return relative === true ? Number(value) * own : Number(value);
}
