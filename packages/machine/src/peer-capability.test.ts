import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { machineByName } from './catalogue.ts';
import type { Topology } from './machine.ts';
import { canAccessPeer, mostPeers } from './peer-capability.ts';

const constant = (unit: 'ns' | 'B/s') => ({ value: 1000, unit, status: 'assumed', source: 'test' }) as const;
const link = { bandwidth: constant('B/s'), latency: constant('ns') };

describe('6.10 peer access', () => {
  it('is there over an NVLink switch, and not between consumer cards at a PCIe root', () => {
    expect(canAccessPeer(machineByName('h200x8').topology, 0, 7)).toBe(true);
    expect(canAccessPeer(machineByName('rtx4090x2').topology, 0, 1)).toBe(false);
  });

  it('is there in pairs joined by a bridge, though the root gives none', () => {
    const bridge: Topology = { kind: 'nvlinkPairs', pairs: [[2, 0]], peerAccess: false, ...link };
    expect([canAccessPeer(bridge, 0, 2), canAccessPeer(bridge, 2, 0), canAccessPeer(bridge, 0, 1)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('never reaches beyond a node', () => {
    const { topology } = machineByName('h200x2x4');
    expect([canAccessPeer(topology, 0, 3), canAccessPeer(topology, 3, 4), canAccessPeer(topology, 5, 6)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('is symmetric as a capability, and a device is no peer of itself', () => {
    const root = fc.option(fc.boolean(), { nil: undefined }).map((p) => (p === undefined ? {} : { peerAccess: p }));
    const pairs = fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 6 });
    const flat: fc.Arbitrary<Topology> = fc.oneof(
      root.map((r) => ({ kind: 'pcie' as const, ...r })),
      fc.constant({ kind: 'nvlinkSwitch' as const, ...link }),
      fc.record({ root, pairs }).map((t) => ({ kind: 'nvlinkPairs' as const, pairs: t.pairs, ...t.root, ...link })),
    );
    const any: fc.Arbitrary<Topology> = fc.oneof(
      flat,
      flat.map((within) => ({ kind: 'nodes' as const, devicesPerNode: 3, within, ...link })),
    );
    fc.assert(
      fc.property(any, fc.nat(7), fc.nat(7), (topology, a, b) => {
        expect(canAccessPeer(topology, a, b)).toBe(canAccessPeer(topology, b, a));
        expect(canAccessPeer(topology, a, a)).toBe(false);
      }),
    );
  });

  it('is for eight peers at a time where no switch joins them', () => {
    expect(mostPeers(machineByName('rtx4090x2').topology)).toBe(8);
    expect(mostPeers(machineByName('h200x16').topology)).toBe(Number.POSITIVE_INFINITY);
  });
});
