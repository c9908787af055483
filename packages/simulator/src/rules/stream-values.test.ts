import { type Machine, machineByName } from '@griddep/machine';
import { await_, signal, spin } from '@griddep/program';
import { describe, expect, it } from 'vitest';
import { H200_X2, run, small, takes } from './rules.fixture.ts';

const H200 = machineByName('h200');
const ONE_QUEUE: Machine = { ...H200, host: { ...H200.host, maxConnections: 1 } };

describe('a wait of a stream for a value in memory', () => {
  it('5.13 is over when another stream writes it, in the order of each stream', () => {
    const { at, waits, timeline } = run((host, p) => {
      p.kernel('k', takes(50));
      host.streamWaitValue('t', 'ready', 1, { label: 'wait' });
      host.launchKernel('k', 't', {}, { label: 'dependent' });
      host.launchKernel('k', 's', {}, { label: 'producer' });
      host.streamWriteValue('s', 'ready', 1, { label: 'write' });
    });
    expect([...timeline.errors, ...timeline.stuck]).toEqual([]);
    expect(at('write', 'completion')).toBeGreaterThanOrEqual(at('producer', 'completion'));
    expect(at('dependent', 'start')).toBeGreaterThan(at('write', 'completion'));
    expect(waits('wait')).toContain('flag');
  });

  it('5.13 is over at once for a value that is there, and for any that is higher', () => {
    const { at, timeline } = run((host, p) => {
      p.kernel('k', takes(50));
      host.hostSignal('ready', 3);
      host.hostCompute('20us');
      host.streamWaitValue('s', 'ready', 2);
      host.launchKernel('k', 's', {}, { label: 'k' });
    });
    expect(timeline.stuck).toEqual([]);
    expect(at('k', 'start') - at('k', 'callEnd')).toBeLessThan(5);
  });

  it('5.13 is satisfied by the host, by a kernel and by another device as well', () => {
    const dependent = (writer: 'host' | 'kernel' | 'device') => {
      const { at, timeline } = run((host, p) => {
        p.kernel('k', takes(10));
        p.kernel('signals', small([spin('100us'), signal('ready', 1)], 1));
        p.stream('far', { device: 1, kind: 'nonBlocking' });
        host.streamWaitValue('t', 'ready');
        host.launchKernel('k', 't', {}, { label: 'dependent' });
        if (writer === 'kernel') host.launchKernel('signals', 's');
        if (writer === 'host') {
          host.hostCompute('100us');
          host.hostSignal('ready');
        }
        if (writer !== 'device') return;
        host.hostCompute('100us');
        host.streamWriteValue('far', 'ready');
      }, H200_X2);
      expect(timeline.stuck).toEqual([]);
      return at('dependent', 'start');
    };
    for (const writer of ['host', 'kernel', 'device'] as const) expect(dependent(writer)).toBeGreaterThan(100);
  });

  it('5.13 a write is seen by kernels and host threads that wait for it, too', () => {
    const { at, timeline } = run((host, p) => {
      p.kernel('k', takes(50));
      p.kernel('awaits', small([await_('ready'), spin('5us')], 1));
      host.launchKernel('awaits', 't', {}, { label: 'awaits' });
      host.launchKernel('k', 's');
      host.streamWriteValue('s', 'ready', 1, { label: 'write' });
      host.hostAwait('ready', 1, { label: 'host' });
    });
    expect(timeline.stuck).toEqual([]);
    expect(at('awaits', 'end')).toBeGreaterThanOrEqual(at('write', 'completion') + 5);
    expect(at('host', 'callEnd')).toBeGreaterThan(at('write', 'completion'));
  });

  it('5.13 is unknown to the order of queues: with one queue the write stands behind it, and nothing goes on', () => {
    const stuck = (machine: Machine) =>
      run((host) => {
        host.streamWaitValue('s', 'ready', 1, { label: 'wait' });
        host.streamWriteValue('t', 'ready', 1, { label: 'write' });
      }, machine).timeline.stuck;
    expect(stuck(H200)).toEqual([]);
    expect(stuck(ONE_QUEUE)).toContain('"wait" waits for flag "ready" to reach 1');
  });

  it('5.13 that nobody writes is told with its flag and value', () => {
    const { timeline } = run((host) => {
      host.streamWaitValue('s', 'ready', 2, { label: 'wait' });
      host.streamWriteValue('t', 'ready', 1);
    });
    expect(timeline.stuck[0]).toBe('"wait" waits for flag "ready" to reach 2');
  });

  it('5.13 can be a node of a graph', () => {
    const { at, timeline } = run((host, p) => {
      p.kernel('k', takes(50));
      host.streamBeginCapture('t');
      host.streamWaitValue('t', 'ready');
      host.launchKernel('k', 't', {}, { label: 'held' });
      host.streamWriteValue('t', 'done');
      host.streamEndCapture('t', 'g');
      host.graphInstantiate('g', 'x');
      host.graphLaunch('x', 't', { label: 'run' });
      host.launchKernel('k', 's', {}, { label: 'producer' });
      host.streamWriteValue('s', 'ready', 1, { label: 'write' });
      host.streamWaitValue('s', 'done');
      host.launchKernel('k', 's', {}, { label: 'last' });
    });
    expect([...timeline.errors, ...timeline.stuck]).toEqual([]);
    expect(at('run/held', 'start')).toBeGreaterThan(at('write', 'completion'));
    expect(at('last', 'start')).toBeGreaterThan(at('run/held', 'completion'));
  });

  it('5.13 makes no event of it: a wait for an event recorded before the write does not wait for the write', () => {
    const { at } = run((host, p) => {
      p.kernel('k', takes(50));
      p.event('e', { timing: false });
      host.eventRecord('e', 's');
      host.launchKernel('k', 's', {}, { label: 'producer' });
      host.streamWriteValue('s', 'ready');
      host.streamWaitEvent('t', 'e');
      host.launchKernel('k', 't', {}, { label: 'free' });
    });
    expect(at('free', 'start')).toBeLessThan(at('producer', 'end'));
  });
});
