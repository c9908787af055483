import { type Constant, type Machine, resolvedValue, type Topology } from '@griddep/machine';
import type { DeviceTimes } from '../device/body.ts';
import type { FabricSpec } from './fabric-actor.ts';
import { downPort, hostLink, pcieRoot, upPort } from './host-links.ts';

/** How the bytes of a copy go from one device to another. */
export interface PeerPath {
  /** Actor that owns the ports. */
  readonly fabric: number;
  readonly ports: readonly string[];
  /** Time on the way beyond what a copy over a switch of one node takes, ps. */
  readonly latency: number;
}

/** The fabrics of a machine, and the ways between its devices. */
export interface TopologyPlan {
  /** In order of their actors. */
  readonly fabrics: readonly FabricSpec[];
  /** By device: the actor that owns its link to the host, and whether no other device uses that. */
  readonly hostLinks: readonly { readonly fabric: number; readonly own: boolean }[];
  path(from: number, to: number): PeerPath;
  /** The most that one copy alone moves from one device to another, bytes per second. */
  bandwidth(from: number, to: number): number;
  /** Completion on one device to the other being able to see it, ps. */
  signal(from: number, to: number): number;
}

/** Called for every constant of the topology that decides something. */
type OnUse = (name: string, constant: Constant) => void;

/**
 * Lays out the fabrics of a machine: each device's link to its host; per node an NVLink switch with one port out and one
 * in per device, or a link per pair, or the PCIe root through which all links of a node without NVLink go; and one network
 * between nodes, with one adapter per device.
 *
 * @param firstActor id of the first fabric actor
 */
export function topologyPlan(
  machine: Machine,
  times: readonly DeviceTimes[],
  firstActor: number,
  uses: OnUse,
): TopologyPlan {
  const planner = new Planner(times, firstActor, uses);
  const ways = planner.lay(machine.topology, 0, machine.devices.length);
  return { fabrics: planner.fabrics, hostLinks: planner.hostLinks, ...ways };
}

type Ways = Pick<TopologyPlan, 'path' | 'bandwidth' | 'signal'>;

class Planner {
  readonly fabrics: FabricSpec[] = [];
  readonly hostLinks: { readonly fabric: number; readonly own: boolean }[] = [];
  private readonly times: readonly DeviceTimes[];
  private readonly firstActor: number;
  private readonly uses: OnUse;

  constructor(times: readonly DeviceTimes[], firstActor: number, uses: OnUse) {
    this.times = times;
    this.firstActor = firstActor;
    this.uses = uses;
  }

  /** The devices from `first` to before `end`, joined by a topology. */
  lay(topology: Topology, first: number, end: number): Ways {
    switch (topology.kind) {
      case 'pcie':
        return this.root(first, end);
      case 'nvlinkSwitch':
        return this.linkSwitch(topology, first, end);
      case 'nvlinkPairs':
        return this.pairs(topology, first, end);
      case 'nodes':
        return this.nodes(topology, first, end);
    }
  }

  private add(spec: FabricSpec): number {
    this.fabrics.push(spec);
    return this.firstActor + this.fabrics.length - 1;
  }

  /** One link is nobody else's business; several meet at the root. Signals go through the host's memory. */
  private root(first: number, end: number): Ways {
    const devices = new Map<number, DeviceTimes>();
    for (let d = first; d < end; d++) devices.set(d, this.times[d] as DeviceTimes);
    const alone = devices.size === 1;
    const fabric = this.add(
      alone
        ? hostLink(first, this.times[first] as DeviceTimes)
        : pcieRoot(`PCIe root of devices ${first}-${end - 1}`, devices),
    );
    for (let d = first; d < end; d++) this.hostLinks[d] = { fabric, own: alone };
    return {
      path: (from, to) => ({ fabric, ports: [downPort(from), upPort(to)], latency: 0 }),
      bandwidth: (from, to) => {
        const [source, destination] = [this.times[from] as DeviceTimes, this.times[to] as DeviceTimes];
        return Math.min(source.copyDownBandwidth, destination.copyUpBandwidth);
      },
      signal: (from) => (this.times[from] as DeviceTimes).progressVisible,
    };
  }

  private ownLinks(first: number, end: number): void {
    for (let d = first; d < end; d++) {
      this.hostLinks[d] = { fabric: this.add(hostLink(d, this.times[d] as DeviceTimes)), own: true };
    }
  }

  private linkSwitch(topology: Topology & { kind: 'nvlinkSwitch' }, first: number, end: number): Ways {
    this.ownLinks(first, end);
    if (end - first === 1) return NOWHERE;
    const capacity = this.reader('link.bandwidth', topology.bandwidth);
    const latency = this.reader('link.latency', topology.latency);
    const fabric = this.add({
      name: `NVLink switch of devices ${first}-${end - 1}`,
      capacity,
      portsAreIndependent: true,
      loadDelay: this.leastAnswer(first, end),
    });
    return {
      path: (from, to) => ({ fabric, ports: [`egress ${from}`, `ingress ${to}`], latency: 0 }),
      bandwidth: capacity,
      signal: latency,
    };
  }

  /** Devices of a pair have a link of their own; all others reach each other through the root. */
  private pairs(topology: Topology & { kind: 'nvlinkPairs' }, first: number, end: number): Ways {
    const root = this.root(first, end);
    const capacity = this.reader('link.bandwidth', topology.bandwidth);
    const latency = this.reader('link.latency', topology.latency);
    const joined = new Set(
      topology.pairs.flatMap(([a, b]) => [`${first + a} ${first + b}`, `${first + b} ${first + a}`]),
    );
    const fabric = this.add({
      name: `NVLink pairs of devices ${first}-${end - 1}`,
      capacity,
      portsAreIndependent: true,
      loadDelay: this.leastAnswer(first, end),
    });
    return {
      path: (from, to) =>
        joined.has(`${from} ${to}`) ? { fabric, ports: [`link ${from} ${to}`], latency: 0 } : root.path(from, to),
      bandwidth: (from, to) => (joined.has(`${from} ${to}`) ? capacity() : root.bandwidth(from, to)),
      signal: (from, to) => (joined.has(`${from} ${to}`) ? latency() : root.signal(from, to)),
    };
  }

  private nodes(topology: Topology & { kind: 'nodes' }, first: number, end: number): Ways {
    const { devicesPerNode, within } = topology;
    const node = (device: number): number => Math.floor((device - first) / devicesPerNode);
    const inside: Ways[] = [];
    for (let at = first; at < end; at += devicesPerNode) {
      inside.push(this.lay(within, at, Math.min(at + devicesPerNode, end)));
    }
    const capacity = this.reader('network.bandwidth', topology.bandwidth);
    const latency = this.reader('network.latency', topology.latency);
    const fabric = this.add({
      name: `network of devices ${first}-${end - 1}`,
      capacity,
      portsAreIndependent: true,
      loadDelay: this.leastAnswer(first, end),
    });
    return {
      path: (from, to) =>
        node(from) === node(to)
          ? (inside[node(from)] as Ways).path(from, to)
          : { fabric, ports: [`send ${from}`, `receive ${to}`], latency: latency() },
      bandwidth: (from, to) =>
        node(from) === node(to) ? (inside[node(from)] as Ways).bandwidth(from, to) : capacity(),
      signal: (from, to) => (node(from) === node(to) ? (inside[node(from)] as Ways).signal(from, to) : latency()),
    };
  }

  private leastAnswer(first: number, end: number): number {
    return Math.min(...this.times.slice(first, end).map((times) => times.transferAnswer));
  }

  /** The value of a constant, noted as used at its first read. */
  private reader(name: string, constant: Constant): () => number {
    let known: number | undefined;
    return () => {
      if (known === undefined) {
        known = resolvedValue(constant);
        this.uses(name, constant);
      }
      return known;
    };
  }
}

/** Of a device alone. */
const NOWHERE: Ways = {
  path: (from, to) => {
    throw new Error(`no way from device ${from} to device ${to}`);
  },
  bandwidth: () => 0,
  signal: () => Number.POSITIVE_INFINITY,
};
