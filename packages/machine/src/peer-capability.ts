import type { Topology } from './machine.ts';

/** Peers that a device can have enabled at a time, unless a switch joins them (CUDA Programming Guide, peer-to-peer access). */
const MOST_PEERS = 8;

/**
 * Whether a device can be given access to the memory of another (rule 6.10): over NVLink always, through the PCIe root
 * where the topology allows it, never between nodes. Devices by index.
 */
export function canAccessPeer(topology: Topology, device: number, peer: number): boolean {
  if (device === peer) return false;
  switch (topology.kind) {
    case 'pcie':
      return topology.peerAccess !== false;
    case 'nvlinkSwitch':
      return true;
    case 'nvlinkPairs': {
      const linked = topology.pairs.some(([a, b]) => (a === device && b === peer) || (a === peer && b === device));
      return linked || topology.peerAccess !== false;
    }
    case 'nodes': {
      const { devicesPerNode: n, within } = topology;
      return Math.floor(device / n) === Math.floor(peer / n) && canAccessPeer(within, device % n, peer % n);
    }
  }
}

/** How many peers a device can have enabled at a time (rule 6.10: error 711 beyond). */
export function mostPeers(topology: Topology): number {
  if (topology.kind === 'nodes') return mostPeers(topology.within);
  return topology.kind === 'nvlinkSwitch' ? Number.POSITIVE_INFINITY : MOST_PEERS;
}
