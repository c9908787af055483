import type { Constant } from './constant.ts';
import { type DeviceProfile, MOST_DEVICES, type Topology } from './machine.ts';
import { A100, A100_LINK_BANDWIDTH } from './profiles/a100.ts';
import { B200, B200_LINK_BANDWIDTH } from './profiles/b200.ts';
import { assumed } from './profiles/constants.ts';
import { H100, H100_LINK_BANDWIDTH } from './profiles/h100.ts';
import { H200, H200_LINK_BANDWIDTH, H200_LINK_LATENCY } from './profiles/h200.ts';
import { RTX4090 } from './profiles/rtx4090.ts';

const LINK_BANDWIDTH: ReadonlyMap<string, Constant> = new Map([
  [A100.name, A100_LINK_BANDWIDTH],
  [H100.name, H100_LINK_BANDWIDTH],
  [H200.name, H200_LINK_BANDWIDTH],
  [B200.name, B200_LINK_BANDWIDTH],
]);

/** One network adapter of 400 Gb/s per device. */
const NETWORK_BANDWIDTH: Constant = {
  ...assumed(45e9, '400 Gb/s per device less protocol; not measured', 20e9, 50e9),
  unit: 'B/s',
};
const NETWORK_LATENCY: Constant = {
  ...assumed(10_000, 'device to device through adapters and one switch; not measured', 4000, 30_000),
  unit: 'ns',
};

/** How devices of one kind stand together in a node: an NVLink switch where they have one, otherwise PCIe. */
export function nodeTopology(device: DeviceProfile): Topology {
  const bandwidth = LINK_BANDWIDTH.get(device.name);
  if (bandwidth === undefined) return pcieTopology([device]);
  return {
    kind: 'nvlinkSwitch',
    bandwidth,
    latency: device === H200 ? H200_LINK_LATENCY : assumedLatency(device.name),
  };
}

/** Devices of any kinds at one PCIe root, of which a consumer card keeps all from each other's memory. */
export function pcieTopology(devices: readonly DeviceProfile[]): Topology {
  return devices.some(({ name }) => name === RTX4090.name) ? { kind: 'pcie', peerAccess: false } : { kind: 'pcie' };
}

/** Equal nodes joined by a network. */
export function nodesTopology(devicesPerNode: number, within: Topology): Topology {
  return { kind: 'nodes', devicesPerNode, within, bandwidth: NETWORK_BANDWIDTH, latency: NETWORK_LATENCY };
}

/** The node in which a device stands, as a number that devices of one node share; 0 where there are no nodes. */
export function nodeOf(topology: Topology, device: number): number {
  if (topology.kind !== 'nodes') return 0;
  const { devicesPerNode, within } = topology;
  return Math.floor(device / devicesPerNode) * MOST_DEVICES + nodeOf(within, device % devicesPerNode);
}

function assumedLatency(name: string): Constant {
  return { ...assumed(H200_LINK_LATENCY.value, `not measured on ${name}; taken from H200`, 400, 5000), unit: 'ns' };
}
