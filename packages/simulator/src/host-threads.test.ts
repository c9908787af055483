import { machineByName } from '@griddep/machine';
import { type HostThreadBuilder, type ProgramBuilder, programBuilder, spin } from '@griddep/program';
import type { Operation } from '@griddep/timeline';
import { describe, expect, it } from 'vitest';
import { simulate } from './simulate.ts';

const US = 1e6;
const X2 = machineByName('h200x2');

function run(threads: readonly number[], make: (hosts: readonly HostThreadBuilder[], p: ProgramBuilder) => void) {
  const p = programBuilder('host threads');
  for (const device of [0, 1]) {
    p.stream(`s${device}`, { device, kind: 'nonBlocking' });
    p.event(`e${device}`, { device, timing: false });
  }
  p.kernel('k', { grid: 8, block: 128, phases: [spin('10us')] });
  make(
    threads.map((device, i) => p.hostThread(`thread${i}`, { device })),
    p,
  );
  const timeline = simulate(p.build(), X2);
  const find = (id: string): Operation => timeline.operations.find((o) => o.id === id) as Operation;
  return { timeline, find, codes: timeline.errors.map(({ code }) => code) };
}

describe('host threads', () => {
  it('each have their own current device (5.9), from their start on', () => {
    const { codes, find } = run([0, 1], ([first, second]) => {
      first?.launchKernel('k', 's0', undefined, { label: 'a' });
      second?.launchKernel('k', 's1', undefined, { label: 'b' });
      first?.setDevice(1);
      first?.launchKernel('k', 's0', undefined, { label: 'refused' });
      second?.launchKernel('k', 's1', undefined, { label: 'c' });
    });
    expect(codes).toEqual([400]);
    expect([find('a').device, find('b').device]).toEqual([0, 1]);
    expect(find('a').start).toBe(find('b').start);
  });

  it('a thread that uses several devices pays for it at each launch, one that uses one does not', () => {
    const { find } = run([0, 0, 1], ([both, one]) => {
      both?.launchKernel('k', 's0');
      both?.setDevice(1);
      both?.launchKernel('k', 's1', undefined, { label: 'second device' });
      both?.launchKernel('k', 's1', undefined, { label: 'both' });
      for (const label of ['x', 'y', 'one']) one?.launchKernel('k', 's0', undefined, { label });
    });
    const cost = (id: string): number => (find(id).callEnd - find(id).callBegin) / US;
    expect(cost('both') - cost('one')).toBeCloseTo(1.2, 3);
  });

  it('calls of two threads into one stream are carried out in the order of the calls, whatever they cost', () => {
    const { find } = run([0, 0], ([first, second]) => {
      first?.launchKernel('k', 's0', undefined, { label: 'slow call' });
      second?.hostCompute('1us');
      second?.eventRecord('e0', 's0', { label: 'quick call' });
    });
    expect(find('quick call').callEnd).toBeLessThan(find('slow call').callEnd);
    expect(find('quick call').completion).toBeGreaterThan(find('slow call').end);
  });

  it('a thread waits for what another has recorded, on another device too, though its own call is quicker', () => {
    const { find, timeline } = run([0, 1], ([first, second]) => {
      first?.launchKernel('k', 's0', undefined, { label: 'a' });
      first?.eventRecord('e0', 's0', { label: 'record' });
      second?.hostCompute('5us');
      second?.streamWaitEvent('s1', 'e0');
      second?.launchKernel('k', 's1', undefined, { label: 'b' });
      second?.eventSynchronize('e0', { label: 'sync' });
    });
    expect(timeline.stuck).toEqual([]);
    expect(find('b').start).toBeGreaterThan(find('a').end);
    expect(find('sync').callEnd).toBeGreaterThan(find('record').completion);
  });
});
