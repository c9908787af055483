import type { Constant, Machine, Topology } from '@griddep/machine';

/** What `link.NAME` can name: the links between devices, and those between nodes. */
export const LINK_NAMES = ['bandwidth', 'latency', 'networkBandwidth', 'networkLatency'] as const;
export type LinkName = (typeof LINK_NAMES)[number];

/** The constants of a machine's links that it has, by their names in a sweep. */
export function linkConstants(topology: Topology): Partial<Record<LinkName, Constant>> {
  if (topology.kind === 'pcie') return {};
  const { bandwidth, latency } = topology;
  if (topology.kind !== 'nodes') return { bandwidth, latency };
  return { ...linkConstants(topology.within), networkBandwidth: bandwidth, networkLatency: latency };
}

/** Why a change of a link changes nothing of a machine, undefined where it does. */
export function linkProblem({ name: machine, topology }: Machine, name: string): string | undefined {
  if (Object.keys(linkConstants(topology)).includes(name)) return undefined;
  const why = name.startsWith('network')
    ? 'has no network, its devices are one node'
    : 'has no NVLink; what PCIe moves is said by constant.copyUpBandwidth and constant.copyDownBandwidth';
  return `link.${name} changes nothing: machine ${machine} ${why}`;
}
