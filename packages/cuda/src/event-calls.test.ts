import { describe, expect, test } from 'vitest';
import { command, play, RULES } from './runtime.fixture.ts';

describe('events', () => {
  test('5.4 a wait uses the most recent record at the time of the call', () => {
    const played = play((host) => {
      host.eventRecord('e', 'a');
      host.streamWaitEvent('b', 'e');
      host.eventRecord('e', 'n');
      host.streamWaitEvent('b', 'e');
    });
    expect([1, 3].map((i) => command(played, i, 'wait').on?.op)).toEqual([0, 2]);
  });

  test('5.4 synchronising waits for the most recent record, not for what follows it', () => {
    const { issued, runtime } = play((host) => {
      host.eventRecord('e', 'a');
      host.launchKernel('k', 'a');
      host.eventSynchronize('e');
    });
    expect(issued[2]?.block).toEqual({ on: 'streams', until: [[runtime.stream(0, 'a').index, 0]] });
  });

  test('5.4 stream and event are of one device, or the record fails (400)', () => {
    const played = play((host) => {
      host.eventRecord('farEvent', 'a');
      host.eventRecord('e', 'far');
      host.eventRecord('farEvent', 'far');
      host.streamWaitEvent('b', 'e');
    });
    expect(played.codes).toEqual([400, 400, 0, 0]);
    expect(command(played, 3, 'wait').on).toBeUndefined();
  });

  test('5.5 a wait for an event that was never recorded waits for nothing; synchronising returns at once', () => {
    const played = play((host) => {
      host.streamWaitEvent('a', 'e');
      host.eventSynchronize('e');
      host.eventQuery('e');
    });
    expect(command(played, 0, 'wait').on).toBeUndefined();
    expect(played.issued[1]?.block).toEqual({ on: 'streams', until: [] });
    expect(played.codes).toEqual([0, 0, 0]);
  });

  test('5.6 a stream may wait for an event of another device', () => {
    const played = play((host) => {
      host.eventRecord('farEvent', 'far');
      host.streamWaitEvent('a', 'farEvent');
    });
    expect(command(played, 1, 'wait')).toMatchObject({ on: { op: 0, device: 1 }, milestone: 'complete' });
    expect(played.codes).toEqual([0, 0]);
  });

  test('5.6, 5.7 elapsed time needs two records with timing of one device (400)', () => {
    const { codes } = play((host, program) => {
      program.event('bare', { timing: false });
      host.eventRecord('e', 'a');
      host.eventElapsedTime('e', 'f');
      host.eventRecord('bare', 'a');
      host.eventElapsedTime('e', 'bare');
      host.eventRecord('farEvent', 'far');
      host.eventElapsedTime('e', 'farEvent');
      host.eventRecord('f', 'a');
      host.eventElapsedTime('e', 'f');
    });
    expect(codes).toEqual([0, 400, 0, 400, 0, 400, 0, 0]);
  });

  test('3.1, 3.4 in a stream a programmatic event is complete with the kernel, a launch-completion event when it has started', () => {
    const played = play((host) => {
      host.launchKernel('k', 'a', { programmaticEvent: { event: 'u', triggerAtBlockStart: true } });
      host.streamWaitEvent('b', 'u');
      host.launchKernel('k', 'a', { launchCompletionEvent: 'v' });
      host.streamWaitEvent('b', 'v');
    });
    expect(command(played, 0, 'kernel').triggerAtStart).toBe(true);
    expect(command(played, 1, 'wait')).toMatchObject({ on: { op: 0 }, milestone: 'complete' });
    expect(command(played, 3, 'wait')).toMatchObject({ on: { op: 2 }, milestone: 'started' });
  });

  test('3.4, 5.4 a plain record replaces a launch-completion one', () => {
    const played = play((host) => {
      host.launchKernel('k', 'a', { launchCompletionEvent: 'v' });
      host.eventRecord('v', 'a');
      host.streamWaitEvent('b', 'v');
    });
    expect(command(played, 2, 'wait')).toMatchObject({ on: { op: 1 }, milestone: 'complete' });
  });

  test('3.3, 3.4 events of launch attributes have timing disabled, and belong to one process (1)', () => {
    const { codes, issued } = play((host, program) => {
      program.event('shared', { timing: false, interprocess: true });
      host.launchKernel('k', 'a', { programmaticEvent: 'e' });
      host.launchKernel('k', 'a', { launchCompletionEvent: 'e' });
      host.launchKernel('k', 'a', { programmaticEvent: 'shared' });
      host.launchKernel('k', 'a', { programmaticEvent: 'u', launchCompletionEvent: 'v' });
    });
    expect(codes).toEqual([1, 1, 1, 0]);
    expect(issued[0]?.error?.message).toBe('event "e" of attribute programmaticEvent has timing enabled (rule 3.3)');
  });

  test('5.7 what is not complete is not ready (600), for elapsed time and queries', () => {
    const calls: Parameters<typeof play>[0] = (host) => {
      host.eventQuery('e');
      host.streamQuery('a');
      host.eventRecord('e', 'a');
      host.eventRecord('f', 'b');
      host.eventElapsedTime('e', 'f');
      host.eventQuery('e');
      host.streamQuery('b');
    };
    expect(play(calls).codes).toEqual([0, 0, 0, 0, 0, 0, 0]);
    const { codes, issued } = play(calls, RULES, (_, op) => op < 3);
    expect(codes).toEqual([0, 0, 0, 0, 600, 0, 600]);
    expect(issued[4]?.error?.message).toBe('event "f" is not complete (rule 5.7)');
    expect(issued[6]?.error?.message).toBe('stream "b" has work that is not complete');
  });
});
