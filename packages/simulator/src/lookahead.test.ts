import { H200, type Machine, MEASURED_HOST, machineByName, RTX4090, type Topology } from '@griddep/machine';
import { listScenarios, type Program } from '@griddep/program';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leastDelay } from './lookahead.ts';
import { Basis, MachineActors } from './machine-actors.ts';
import { severalDevices } from './several-devices.fixture.ts';
import { breaches } from './watched-run.fixture.ts';

const RUNS = process.env.GRIDDEP_FULL === '1' ? 100 : 12;
const constant = (value: number, unit: 'ns' | 'B/s') => ({ value, unit, status: 'assumed', source: 'test' }) as const;
const link = { bandwidth: constant(200e9, 'B/s'), latency: constant(2000, 'ns') };
const network = { bandwidth: constant(40e9, 'B/s'), latency: constant(10_000, 'ns') };
const machine = (name: string, topology: Topology, devices = [H200, H200, H200, H200]): Machine => ({
  name,
  devices,
  topology,
  host: MEASURED_HOST,
});

const MACHINES = [
  machineByName('h200x4'),
  machineByName('h200x2x2'),
  machineByName('rtx4090x4'),
  machine('pairs', { kind: 'nvlinkPairs', pairs: [[0, 1]], ...link }),
  machine('nodes', { kind: 'nodes', devicesPerNode: 2, within: { kind: 'pcie' }, ...network }),
  machine('mixed', { kind: 'pcie' }, [H200, RTX4090, H200, RTX4090]),
].map((each) => [each.name, each] as const);

const actorsOf = (of: Machine): MachineActors => {
  const devices = [...of.devices.keys()];
  const processes = [{ threads: [0], devices }];
  const places = devices.map(() => 0);
  const program = { kernels: [], buffers: new Map(), streams: [], processes, places };
  const setup = { ...program, blockByBlock: false, recordBlocks: false };
  return new MachineActors({ ...setup, machine: of }, new Basis());
};

/** As many H200s in a node as a program names. */
function node({ streams, events, buffers, threads }: Program): Machine {
  const named = [...streams.values(), ...events.values(), ...buffers.values(), ...threads];
  return machineByName(`h200x${1 + Math.max(1, ...named.map(({ device }) => device))}`);
}

describe.each(MACHINES)('%s', (_, of) => {
  it('all actors that send to each other do so with a delay', () => {
    const actors = actorsOf(of);
    const ids = [...actors.names.keys()];
    for (const from of ids) {
      const along = actors.placeOf(from) >= 0;
      // Its own devices hear from a meeting place at once; it lives with them.
      for (const to of ids) if (to !== from && !along) expect(leastDelay(actors, from, to)).toBeGreaterThan(0);
    }
  });

  it(`no message is quicker than its least delay, in ${RUNS} random programs`, () => {
    fc.assert(
      fc.property(severalDevices(4), (program) => {
        expect(breaches(program, of)).toEqual([]);
      }),
      { numRuns: RUNS, seed: 20261130 },
    );
  }, 600_000);
});

it.each(listScenarios().map((scenario) => [scenario.name, scenario] as const))('scenario %s', (_, scenario) => {
  const program = scenario.build({});
  expect(breaches(program, node(program))).toEqual([]);
});

it('says who sends to whom', () => {
  const actors = actorsOf(machineByName('h200x2x2'));
  const id = (name: string): number => actors.names.indexOf(name);
  const least = (from: string, to: string): number => leastDelay(actors, id(from), id(to)) / 1e3;
  expect(least('host', 'device 0')).toBeGreaterThan(1000);
  expect(least('device 0', 'device 1')).toBe(1200);
  expect(least('device 0', 'NVLink switch of devices 0-1')).toBe(2850);
  expect(least('device 0', 'NVLink switch of devices 2-3')).toBe(Number.POSITIVE_INFINITY);
  expect(least('device 0', 'network of devices 0-3')).toBe(12_850);
  expect(least('network of devices 0-3', 'device 3')).toBe(1000);
  expect(least('device 0', 'collectives')).toBe(1300);
  expect(least('collectives', 'device 0')).toBe(0);
  expect(least('host', 'collectives')).toBe(Number.POSITIVE_INFINITY);
});
