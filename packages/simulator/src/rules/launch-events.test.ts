import { machineByName } from '@griddep/machine';
import { type AttributesInput, spin, trigger, wait } from '@griddep/program';
import { describe, expect, it } from 'vitest';
import { filling, H200_X2, type Run, run, SMS, small, takes, WHOLE_SM } from './rules.fixture.ts';

const AT_START = { programmaticEvent: { event: 'e', triggerAtBlockStart: true } };

/** A kernel in `s` that triggers after 20 us of 100, records an event by an attribute, and a kernel in `t` that waits for it. */
function inStreams(attributes: AttributesInput, dependent = small([spin('5us')])): Run {
  return run((host, p) => {
    p.event('e', { timing: false });
    p.kernel('primary', small([spin('20us'), trigger(), spin('80us')]));
    p.kernel('dependent', dependent);
    host.launchKernel('primary', 's', attributes, { label: 'primary' });
    host.streamWaitEvent('t', 'e');
    host.launchKernel('dependent', 't', {}, { label: 'dependent' });
    host.eventSynchronize('e', { label: 'sync' });
  });
}

/** The same, captured and launched as a graph. */
function captured(attributes: AttributesInput, dependent = small([spin('5us')]), blocks = 8): Run {
  return run((host, p) => {
    for (const event of ['e', 'join']) p.event(event, { timing: false });
    p.kernel('primary', small([spin('20us'), trigger(), spin('80us')], blocks));
    p.kernel('dependent', dependent);
    host.streamBeginCapture('s');
    host.launchKernel('primary', 's', attributes, { label: 'primary' });
    host.streamWaitEvent('t', 'e');
    host.launchKernel('dependent', 't', {}, { label: 'dependent' });
    host.eventRecord('join', 't');
    host.streamWaitEvent('s', 'join');
    host.streamEndCapture('s', 'g');
    host.graphInstantiate('g', 'x');
    host.graphLaunch('x', 's', { label: 'run' });
  });
}

describe('a programmatic event', () => {
  it('3.1, 3.2 that a stream waits for comes with the end of the kernel, though it might come with its triggers', () => {
    const { at } = inStreams({ programmaticEvent: 'e' });
    expect(at('dependent', 'start')).toBeGreaterThan(at('primary', 'completion'));
  });

  it('3.2 that the host waits for is seen after the end of the kernel', () => {
    const { at } = inStreams({ programmaticEvent: 'e' });
    expect(at('sync', 'callEnd')).toBeGreaterThan(at('primary', 'completion'));
  });

  it('3.1, 4.4 captured, lets the dependent start once all blocks have triggered', () => {
    const { at } = captured({ programmaticEvent: 'e' });
    expect(at('run/dependent', 'start')).toBeGreaterThan(at('run/primary', 'lastTrigger'));
    expect(at('run/dependent', 'end')).toBeLessThan(at('run/primary', 'end'));
  });

  it('3.1, 4.4 captured with a trigger at the start of blocks, once all have started', () => {
    const { at } = captured(AT_START);
    expect(at('run/dependent', 'start')).toBeGreaterThan(at('run/primary', 'lastStart'));
    expect(at('run/dependent', 'start')).toBeLessThan(at('run/primary', 'start') + 20);
  });

  it('3.1 the event comes after all blocks have triggered, also those of a later wave', () => {
    const { at } = captured({ programmaticEvent: 'e' }, small([spin('5us')]), 40 * SMS);
    expect(at('run/primary', 'lastStart')).toBeGreaterThan(at('run/primary', 'start') + 90);
    expect(at('run/dependent', 'start')).toBeGreaterThan(at('run/primary', 'lastStart'));
  });

  it('3.2 the dependent may use the wait instruction, which sees the edge', () => {
    for (const attributes of [{ programmaticEvent: 'e' }, AT_START]) {
      const { at, released } = captured(attributes, small([wait(), spin('5us')]));
      expect(at('run/dependent', 'start')).toBeLessThan(at('run/primary', 'end'));
      expect(released('run/dependent')).toBeGreaterThan(at('run/primary', 'completion'));
    }
  });
});

describe('a launch-completion event', () => {
  it('3.4 comes when all blocks have started, in streams and captured', () => {
    const streams = inStreams({ launchCompletionEvent: 'e' });
    expect(streams.at('dependent', 'start')).toBeGreaterThan(streams.at('primary', 'lastStart'));
    expect(streams.at('dependent', 'end')).toBeLessThan(streams.at('primary', 'end'));
    const graph = captured({ launchCompletionEvent: 'e' });
    expect(graph.at('run/dependent', 'start')).toBeGreaterThan(graph.at('run/primary', 'lastStart'));
    expect(graph.at('run/dependent', 'end')).toBeLessThan(graph.at('run/primary', 'end'));
  });

  it('3.4, 4.3 is not visible to the wait instruction', () => {
    const { at, released } = captured({ launchCompletionEvent: 'e' }, small([wait(), spin('5us')]));
    expect(released('run/dependent')).toBeLessThan(at('run/primary', 'end'));
  });

  it('3.4 works on a device of compute capability 8.0', () => {
    const { at } = run((host, p) => {
      p.event('e', { timing: false });
      p.kernel('k', takes(100));
      host.launchKernel('k', 's', { launchCompletionEvent: 'e' }, { label: 'primary' });
      host.streamWaitEvent('t', 'e');
      host.launchKernel('k', 't', {}, { label: 'dependent' });
    }, machineByName('a100'));
    expect(at('dependent', 'start')).toBeGreaterThan(at('primary', 'lastStart'));
    expect(at('dependent', 'start')).toBeLessThan(at('primary', 'end'));
  });

  it('3.4 a stream of another device may wait for it', () => {
    const { at, codes } = run((host, p) => {
      p.event('e', { timing: false });
      p.stream('far', { device: 1, kind: 'nonBlocking' });
      p.kernel('k', takes(200));
      host.launchKernel('k', 's', { launchCompletionEvent: 'e' }, { label: 'primary' });
      host.setDevice(1);
      host.streamWaitEvent('far', 'e');
      host.launchKernel('k', 'far', {}, { label: 'dependent' });
    }, H200_X2);
    expect(codes).toEqual([]);
    expect(at('dependent', 'start')).toBeGreaterThan(at('primary', 'lastStart'));
    expect(at('dependent', 'start')).toBeLessThan(at('primary', 'end'));
  });
});

it('[pdl-te-launch-completion-event] 3.4 the blocks of a communication kernel are resident before a product fills the device', () => {
  const beside = (means: 'event' | 'one queue' | 'nothing') => {
    const machine = machineByName('h200');
    const host = { ...machine.host, maxConnections: means === 'one queue' ? 1 : 8 };
    const { at } = run(
      (thread, p) => {
        p.stream('c', { kind: 'nonBlocking' });
        for (const event of ['e', 'input']) p.event(event, { timing: false });
        p.kernel('input', takes(40));
        p.kernel('communication', { grid: 4, block: 128, dynamicSharedMemory: WHOLE_SM, phases: [spin('300us')] });
        p.kernel('product', filling([spin('50us')], 4 * SMS));
        // What the communication sends is ready later than what the product needs.
        thread.launchKernel('input', 't');
        thread.eventRecord('input', 't');
        thread.streamWaitEvent('c', 'input');
        const attributes = means === 'event' ? { launchCompletionEvent: 'e' } : {};
        thread.launchKernel('communication', 'c', attributes, { label: 'communication' });
        if (means === 'event') thread.streamWaitEvent('s', 'e');
        thread.launchKernel('product', 's', {}, { label: 'product' });
      },
      { ...machine, host },
    );
    return { begins: at('communication', 'lastStart') < at('product', 'start'), ends: at('product', 'end') };
  };
  expect(beside('nothing').begins).toBe(false);
  for (const means of ['event', 'one queue'] as const) {
    const { begins, ends } = beside(means);
    expect(begins).toBe(true);
    // Beside it: not after its 300 us.
    expect(ends).toBeLessThan(400);
  }
});
