import { H200, type Machine, MEASURED_HOST, machineByName, RTX4090, type Topology } from '@griddep/machine';
import { type HostThreadBuilder, load, type ProgramBuilder, programBuilder, spin } from '@griddep/program';
import type { Operation } from '@griddep/timeline';
import { describe, expect, it } from 'vitest';
import { simulate } from './simulate.ts';

const MIB = 2 ** 20;
const US = 1e6;

/** Streams `s0`, `s1` and so on, one a device, kernels of 20 and 200 us, and what a program does with them. */
function run(machine: Machine, make: (host: HostThreadBuilder, program: ProgramBuilder) => void) {
  const p = programBuilder('several devices');
  for (const [device] of machine.devices.entries()) {
    p.stream(`s${device}`, { device, kind: 'nonBlocking' });
    p.stream(`t${device}`, { device, kind: 'nonBlocking' });
    p.event(`e${device}`, { device, timing: false });
  }
  p.kernel('short', { grid: 1, block: 32, phases: [spin('20us')] });
  p.kernel('long', { grid: 1, block: 32, phases: [spin('200us')] });
  make(p.hostThread('main'), p);
  const timeline = simulate(p.build(), machine);
  expect(timeline.errors).toEqual([]);
  const find = (id: string): Operation => {
    const operation = timeline.operations.find((o) => o.id === id);
    if (operation === undefined) throw new Error(`no operation "${id}"`);
    return operation;
  };
  return { timeline, find };
}

const X2 = machineByName('h200x2');
const X4 = machineByName('h200x4');
const span = ({ start, end }: Operation): number => (end - start) / US;

describe('events between devices', () => {
  it('5.6 a stream waits for an event of another device, and its kernel tells so', () => {
    const { find } = run(X2, (host) => {
      host.launchKernel('long', 's0', undefined, { label: 'first' });
      host.eventRecord('e0', 's0', { label: 'record' });
      host.streamWaitEvent('s1', 'e0', { label: 'wait' });
      host.setDevice(1);
      host.launchKernel('short', 's1', undefined, { label: 'second' });
    });
    const gap = (find('second').start - find('first').end) / US;
    expect(gap).toBeGreaterThan(3);
    expect(gap).toBeLessThan(13);
    const wait = find('wait');
    expect(wait.waits.map((w) => w.kind)).toContain('event');
  });

  it('5.5 an event that was never recorded, or has long happened, holds nothing up', () => {
    const { find } = run(X2, (host) => {
      host.eventRecord('e0', 's0');
      host.hostCompute('100us');
      host.streamWaitEvent('s1', 'e0');
      host.setDevice(1);
      host.launchKernel('short', 's1', undefined, { label: 'kernel' });
    });
    const { start, callEnd } = find('kernel');
    expect((start - callEnd) / US).toBeLessThan(4);
  });

  it('a wait that nobody satisfies is told with what it waits for', () => {
    const { timeline } = run(X2, (host, p) => {
      p.kernel('stuck', { grid: 1, block: 32, phases: [{ op: 'await', flag: 'never', value: 1 }] });
      host.launchKernel('stuck', 's0');
      host.eventRecord('e0', 's0', { label: 'record' });
      host.streamWaitEvent('s1', 'e0', { label: 'wait' });
    });
    expect(timeline.stuck).toContain('"wait" waits for "record"');
  });
});

describe('copies between devices', () => {
  const access = (host: HostThreadBuilder, devices: number): void => {
    for (let device = 0; device < devices; device++) {
      host.setDevice(device);
      for (let peer = 0; peer < devices; peer++) if (peer !== device) host.deviceEnablePeerAccess(peer);
    }
  };

  it('write and read at the rate of the link, a read two signals later', () => {
    const { find } = run(X2, (host) => {
      access(host, 2);
      host.memcpyPeerAsync(1, 0, 64 * MIB, 's0', { label: 'write' });
      host.streamSynchronize('s0');
      host.memcpyPeerAsync(1, 0, 64 * MIB, 's1', { label: 'read' });
    });
    expect(span(find('write'))).toBeCloseTo((64 * MIB) / 397e3 + 3.85, 0);
    expect(span(find('read')) - span(find('write'))).toBeCloseTo(2.4, 0);
    expect(find('read').unit).toBe('copy engine peer of device 0');
  });

  it('6.11 two writes of one device take turns, both directions and the host links overlap', () => {
    const { find } = run(X2, (host) => {
      access(host, 2);
      host.memcpyPeerAsync(1, 0, 16 * MIB, 's0', { label: 'a' });
      host.memcpyPeerAsync(1, 0, 16 * MIB, 't0', { label: 'b' });
      host.memcpyPeerAsync(0, 1, 16 * MIB, 's1', { label: 'back' });
      host.memcpyAsync('hostToDevice', 16 * MIB, 't1', { label: 'up', hostMemory: 'pinned' });
    });
    expect(find('b').start).toBeGreaterThanOrEqual(find('a').end);
    expect(find('b').cause).toMatchObject({ kind: 'engine' });
    expect(find('back').start).toBeLessThan(find('a').end);
    expect(find('up').slowdown[0]?.factor).toBe(1);
  });

  it('three writers to one device share its port equally', () => {
    const { find } = run(X4, (host) => {
      access(host, 4);
      for (const d of [1, 2, 3]) host.memcpyPeerAsync(0, d, 64 * MIB, `s${d}`, { label: `w${d}` });
    });
    for (const d of [1, 2, 3]) expect(span(find(`w${d}`))).toBeGreaterThan(480);
    expect(find('w1').slowdown[0]).toMatchObject({ resource: 'link' });
  });

  it('take memory bandwidth from kernels at both ends', () => {
    const kernels = (copy: boolean) =>
      run(X2, (host, p) => {
        p.kernel('loads', { grid: 1056, block: 512, phases: [load(1 << 19)] });
        access(host, 2);
        if (copy) host.memcpyPeerAsync(1, 0, 256 * MIB, 't0');
        for (const d of [0, 1]) {
          host.setDevice(d);
          host.launchKernel('loads', `s${d}`, undefined, { label: `k${d}` });
        }
      });
    const [alone, beside] = [kernels(false), kernels(true)];
    const slower = (id: string) => span(beside.find(id)) / span(alone.find(id));
    expect(slower('k0')).toBeGreaterThan(1.03);
    expect(slower('k1')).toBeGreaterThan(slower('k0'));
  });

  it('6.9 without access: a download and an upload, operations of their own, and the whole at the rate of staging', () => {
    const { find } = run(X2, (host) => {
      host.memcpyPeerAsync(1, 0, 64 * MIB, 's0', { label: 'copy' });
    });
    const [down, up] = [find('copy/deviceToHost'), find('copy/hostToDevice')];
    expect([down.device, up.device]).toEqual([0, 1]);
    expect(down.start).toBeLessThan(up.start);
    expect(down.end).toBeLessThan(up.end);
    expect((64 * MIB) / span(find('copy')) / 1e3).toBeCloseTo(37.9, 0);
    expect((find('copy').callEnd - find('copy').callBegin) / US).toBeCloseTo(9.6 + 63 * 4.9, 0);
    expect(up.cause).toMatchObject({ kind: 'staging' });
  });
});

describe('graphs over several devices', () => {
  const launches = (times: number) =>
    run(X2, (host) => {
      host.streamBeginCapture('s0', 'threadLocal');
      host.launchKernel('short', 's0', undefined, { label: 'a' });
      host.eventRecord('e0', 's0');
      host.streamWaitEvent('s1', 'e0');
      host.setDevice(1);
      host.launchKernel('short', 's1', undefined, { label: 'b' });
      host.eventRecord('e1', 's1');
      host.streamWaitEvent('s0', 'e1');
      host.setDevice(0);
      host.launchKernel('short', 's0', undefined, { label: 'c' });
      host.streamEndCapture('s0', 'g');
      host.graphInstantiate('g', 'x');
      for (let i = 0; i < times; i++) host.graphLaunch('x', 's0', { label: `run${i}` });
      host.launchKernel('short', 's0', undefined, { label: 'after' });
      host.deviceSynchronize();
    });

  it('each device runs its nodes, edges between devices hold, and the launch is complete with the last', () => {
    const { find, timeline } = launches(2);
    expect(timeline.stuck).toEqual([]);
    for (const launch of ['run0', 'run1']) {
      const [a, b, c] = ['a', 'b', 'c'].map((node) => find(`${launch}/${node}`)) as [Operation, Operation, Operation];
      expect([a.device, b.device, c.device]).toEqual([0, 1, 0]);
      expect(b.start).toBeGreaterThan(a.end + US);
      expect(c.start).toBeGreaterThan(b.end + US);
      expect(b.waits.some((w) => w.kind === 'graphEdge')).toBe(true);
      expect(find(launch).completion).toBeGreaterThanOrEqual(c.end);
    }
    expect(find('run1/a').start).toBeGreaterThan(find('run0').completion);
    expect(find('after').start).toBeGreaterThan(find('run1').completion);
  });
});

describe('topologies', () => {
  const constant = (value: number, unit: 'ns' | 'B/s') => ({ value, unit, status: 'assumed', source: 'test' }) as const;
  const link = { bandwidth: constant(200e9, 'B/s'), latency: constant(2000, 'ns') };
  const network = { bandwidth: constant(40e9, 'B/s'), latency: constant(10_000, 'ns') };
  const machine = (topology: Topology): Machine => ({
    name: 'test',
    devices: [H200, H200, H200, H200],
    topology,
    host: MEASURED_HOST,
  });
  const rates = (topology: Topology, pairs: readonly (readonly [number, number])[]): number[] =>
    pairs.map(([from, to]) => {
      const { find } = run(machine(topology), (host) => {
        if (topology.kind !== 'nodes') {
          host.setDevice(from);
          host.deviceEnablePeerAccess(to);
        }
        host.memcpyPeerAsync(to, from, 256 * MIB, `s${from}`, { label: 'copy' });
      });
      return Math.round((256 * MIB) / span(find('copy')) / 1e3);
    });

  it('a pair has a link of its own, others go through the root', () => {
    const pairs = { kind: 'nvlinkPairs', pairs: [[0, 1]], ...link } as const;
    expect(
      rates(pairs, [
        [0, 1],
        [1, 2],
      ]),
    ).toEqual([199, 55]);
  });

  it('through the root, copies between devices share the links with those to the host', () => {
    const { find } = run(machine({ kind: 'pcie' }), (host) => {
      host.deviceEnablePeerAccess(1);
      host.memcpyPeerAsync(1, 0, 64 * MIB, 's0', { label: 'copy' });
      host.memcpyAsync('hostToDevice', 64 * MIB, 's1', { label: 'up', hostMemory: 'pinned' });
    });
    expect(find('up').slowdown[0]?.factor).toBeGreaterThan(1.5);
    expect(find('copy').slowdown[0]?.factor).toBeGreaterThan(1.5);
  });

  it('between nodes a copy goes over the network, one port a device', () => {
    const nodes = { kind: 'nodes', devicesPerNode: 2, within: { kind: 'nvlinkSwitch', ...link }, ...network } as const;
    expect(rates(nodes, [[0, 2]])).toEqual([40]);
  });

  it('devices of different kinds each keep their own constants', () => {
    const mixed: Machine = { ...machine({ kind: 'pcie' }), devices: [H200, RTX4090] };
    const { find } = run(mixed, (host) => {
      host.memcpyAsync('hostToDevice', 64 * MIB, 's0', { label: 'h200', hostMemory: 'pinned' });
      host.memcpyAsync('hostToDevice', 64 * MIB, 's1', { label: 'rtx', hostMemory: 'pinned' });
    });
    expect(span(find('rtx')) / span(find('h200'))).toBeCloseTo(2, 0);
  });
});
