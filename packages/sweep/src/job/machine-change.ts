import {
  type Constant,
  type ConstantRule,
  constantProblem,
  DEVICE_TIMING,
  type DeviceProfile,
  HOST_TIMING,
  type Machine,
  MachineError,
  type Topology,
} from '@griddep/machine';
import { readMachine, writeMachine } from '@griddep/machine/file';
import type { Value } from '@griddep/program';
import { linkProblem } from './links.ts';

const CONSTANT_RULES: Readonly<Record<string, ConstantRule>> = { ...DEVICE_TIMING, ...HOST_TIMING };

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
  checkLinks(machine, changes);
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
  checkConstants(changed, changes);
  const areConstants = changes.every(({ kind }) => kind === 'constant' || kind === 'link');
  // Limits have to fit together: what reads machine files knows how, but takes longer than many a simulation.
  return areConstants ? changed : readMachine(writeMachine(changed, 'json'), `machine ${machine.name} as changed`);
}

function checkLinks(machine: Machine, changes: readonly MachineChange[]): void {
  for (const { kind, name } of changes) {
    const problem = kind === 'link' ? linkProblem(machine, name) : undefined;
    if (problem !== undefined) throw new MachineError(problem, name);
  }
}

function checkConstants(machine: Machine, changes: readonly MachineChange[]): void {
  const timing: Readonly<Record<string, Constant>> = { ...machine.devices[0]?.timing, ...machine.host.timing };
  for (const { kind, name, value } of changes) {
    const constant = timing[name];
    const rule = constantRule(name);
    if (kind !== 'constant' || constant === undefined || rule === undefined) continue;
    const problem = constantProblem(constant, rule);
    if (problem !== undefined)
      throw new MachineError(`machine ${machine.name} as changed: ${name}: ${problem}`, String(value));
  }
}

/** How a constant of a device or of the host is read: its unit and range. */
export function constantRule(name: string): ConstantRule | undefined {
  return CONSTANT_RULES[name];
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
  const changed = numberOf(change, value);
  if (change.kind === 'link' && !(Number.isFinite(changed) && changed > 0))
    throw new MachineError(`${change.name} of a link must be above 0, got ${changed}`, String(change.value));
  return { value: changed, unit, status: 'assumed', source: 'set by a sweep' };
}

function numberOf({ value, relative }: MachineChange, own: number): number {
  return relative === true ? Number(value) * own : Number(value);
}
