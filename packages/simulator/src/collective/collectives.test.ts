import { machineByName } from '@griddep/machine';
import { type HostThreadBuilder, type ProgramBuilder, programBuilder, spin } from '@griddep/program';
import type { Operation } from '@griddep/timeline';
import { describe, expect, it } from 'vitest';
import { simulate } from '../simulate.ts';

const US = 1e6;
const KIB = 2 ** 10;
const MIB = 2 ** 20;

function run(devices: number, make: (hosts: readonly HostThreadBuilder[], p: ProgramBuilder) => void) {
  const p = programBuilder('collectives');
  for (let d = 0; d < devices; d++) p.stream(`s${d}`, { device: d, kind: 'nonBlocking' });
  p.kernel('work', { grid: 132, block: 256, phases: [spin('50us')] });
  make(
    Array.from({ length: devices }, (_, device) => p.hostThread(`rank${device}`, { device })),
    p,
  );
  const timeline = simulate(p.build(), machineByName(`h200x${devices}`));
  const find = (id: string): Operation => timeline.operations.find((o) => o.id === id) as Operation;
  return { timeline, find };
}

describe('collectives', () => {
  it('begin when the last member has come, and end for all together', () => {
    const { timeline, find } = run(4, (hosts) => {
      hosts[2]?.launchKernel('work', 's2', undefined, { label: 'late' });
      for (const [d, host] of hosts.entries()) host.collective('allReduce', 'g', 8 * KIB, `s${d}`, { label: `c${d}` });
    });
    expect([timeline.stuck, timeline.errors]).toEqual([[], []]);
    const all = [0, 1, 2, 3].map((d) => find(`c${d}`));
    expect(new Set(all.map((o) => o.end)).size).toBe(1);
    const last = all[2] as Operation;
    expect(last.start).toBeGreaterThan(find('late').end);
    expect((last.end - last.start) / US).toBeCloseTo(4 * 2.6, 0);
    const wait = all[0]?.waits.at(-1);
    expect(wait).toMatchObject({ kind: 'collective', until: last.start });
    expect(timeline.operations[wait?.operation ?? -1]?.id).toBe('c2');
  });

  it('hold blocks on SMs meanwhile, more for more bytes, and move them over the slowest link', () => {
    const { find } = run(2, (hosts) => {
      for (const [d, host] of hosts.entries()) host.collective('allReduce', 'g', 16 * MIB, `s${d}`, { label: `c${d}` });
    });
    expect(find('c0')).toMatchObject({ kind: 'collective', sms: 24, bytes: 16 * MIB });
    expect((find('c1').end - find('c1').start) / US).toBeCloseTo((16 * MIB) / (0.61 * 397e3) + 5.2, 0);
  });

  it('meet in the order in which each member enqueues them, of whatever stream', () => {
    const { timeline, find } = run(2, (hosts, p) => {
      for (const d of [0, 1]) p.stream(`t${d}`, { device: d, kind: 'nonBlocking' });
      hosts[0]?.launchKernel('work', 's0');
      hosts[0]?.collective('allReduce', 'g', KIB, 's0', { label: 'first0' });
      hosts[0]?.collective('broadcast', 'g', KIB, 't0', { label: 'second0' });
      hosts[1]?.collective('allReduce', 'g', KIB, 's1', { label: 'first1' });
      hosts[1]?.collective('broadcast', 'g', KIB, 's1', { label: 'second1' });
    });
    expect(timeline.stuck).toEqual([]);
    expect(find('first0').end).toBe(find('first1').end);
    expect(find('second0').end).toBe(find('second1').end);
  });

  it('are what a kernel can be, and what a graph can hold: each launch is a meeting of its own', () => {
    const { timeline } = run(2, (hosts, p) => {
      p.kernel('reduce', { grid: 8, block: 512, collective: { operation: 'reduceScatter', group: 'g', bytes: MIB } });
      for (const [d, host] of hosts.entries()) {
        host.streamBeginCapture(`s${d}`, 'threadLocal');
        host.launchKernel('reduce', `s${d}`);
        host.collective('allGather', 'g', MIB, `s${d}`);
        host.streamEndCapture(`s${d}`, `g${d}`);
        host.graphInstantiate(`g${d}`, `x${d}`);
        host.graphLaunch(`x${d}`, `s${d}`);
        host.graphLaunch(`x${d}`, `s${d}`);
      }
    });
    expect([timeline.stuck, timeline.errors]).toEqual([[], []]);
    const ends = (name: string) => timeline.operations.filter((o) => o.name === name).map((o) => o.end);
    expect(new Set(ends('reduce')).size).toBe(2);
    expect(new Set(ends('allGather')).size).toBe(2);
  });

  it('that members never come to are told with their name, the group and who is missing', () => {
    const { timeline } = run(4, (hosts) => {
      for (const d of [0, 1, 2, 3]) hosts[d]?.collective('allReduce', 'tp', KIB, `s${d}`);
      for (const d of [0, 2]) hosts[d]?.collective('allReduce', 'tp', KIB, `s${d}`, { label: `again${d}` });
      hosts[0]?.streamSynchronize('s0');
    });
    expect(timeline.stuck.filter((line) => line.includes('collective'))).toEqual([
      '"again0" waits in collective allReduce of group "tp" (its call 2) for devices 1, 3',
      '"again2" waits in collective allReduce of group "tp" (its call 2) for devices 1, 3',
    ]);
    expect(timeline.stuck.some((line) => line.startsWith('host thread "rank0" waits in'))).toBe(true);
  });

  it('of groups that share devices do not meet each other', () => {
    const { timeline, find } = run(4, (hosts) => {
      for (const d of [0, 1]) hosts[d]?.collective('allReduce', 'tp0', KIB, `s${d}`, { label: `tp${d}` });
      for (const d of [2, 3]) hosts[d]?.collective('allReduce', 'tp1', KIB, `s${d}`, { label: `tp${d}` });
      for (const d of [0, 2]) hosts[d]?.collective('allReduce', 'dp', KIB, `s${d}`, { label: `dp${d}` });
    });
    expect(timeline.stuck).toEqual([]);
    expect(find('dp0').end).toBe(find('dp2').end);
  });

  it('take no more blocks than there are SMs, and end on the smallest device', () => {
    const base = machineByName('h200x2');
    const devices = base.devices.map((device) => ({ ...device, limits: { ...device.limits, sms: 3 } }));
    const p = programBuilder('few');
    for (const d of [0, 1]) {
      p.stream(`s${d}`, { device: d });
      p.hostThread(`rank${d}`, { device: d }).collective('allReduce', 'g', 8 * MIB, `s${d}`);
    }
    const { stuck, operations } = simulate(p.build(), { ...base, devices });
    expect(stuck).toEqual([]);
    expect(operations.map(({ sms }) => sms)).toEqual([3, 3]);
  });

  it('that find no room are said to have none, without what holds them inside', () => {
    const { timeline } = run(2, (hosts, p) => {
      p.kernel('full', {
        grid: 130,
        block: 1024,
        dynamicSharedMemory: '200KiB',
        phases: [{ op: 'await', flag: 'never', value: 1 }],
      });
      p.stream('other', { device: 0, kind: 'nonBlocking' });
      hosts[0]?.launchKernel('full', 'other');
      for (const d of [0, 1]) hosts[d]?.collective('allReduce', 'g', 8 * MIB, `s${d}`);
    });
    expect(timeline.stuck.join('\n')).toContain('flag "never"');
    expect(timeline.stuck.join('\n')).not.toContain('\0');
  });
});
