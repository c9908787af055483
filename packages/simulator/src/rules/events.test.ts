import { describe, expect, it } from 'vitest';
import { H200_X2, run, takes } from './rules.fixture.ts';

describe('a wait for an event', () => {
  it('5.4 is for the work before its newest record, not for what came after', () => {
    const { at } = run((host, p) => {
      p.kernel('k', takes(50));
      p.event('e', { timing: false });
      host.launchKernel('k', 's', {}, { label: 'before' });
      host.eventRecord('e', 's');
      host.launchKernel('k', 's', {}, { label: 'later' });
      host.streamWaitEvent('t', 'e');
      host.launchKernel('k', 't', {}, { label: 'dependent' });
    });
    expect(at('dependent', 'start')).toBeGreaterThan(at('before', 'completion'));
    expect(at('dependent', 'start')).toBeLessThan(at('later', 'end'));
  });

  it('5.4 keeps to the record at the time of the call when the event is recorded again', () => {
    const { at } = run((host, p) => {
      p.kernel('short', takes(20));
      p.kernel('long', takes(500));
      p.stream('u', { kind: 'nonBlocking' });
      p.event('e', { timing: false });
      host.launchKernel('short', 's', {}, { label: 'first' });
      host.eventRecord('e', 's');
      host.streamWaitEvent('t', 'e');
      host.launchKernel('long', 'u', {}, { label: 'second' });
      host.eventRecord('e', 'u');
      host.launchKernel('short', 't', {}, { label: 'dependent' });
      host.eventSynchronize('e', { label: 'sync' });
    });
    expect(at('dependent', 'start')).toBeGreaterThan(at('first', 'completion'));
    expect(at('dependent', 'end')).toBeLessThan(at('second', 'end'));
    expect(at('sync', 'callEnd')).toBeGreaterThan(at('second', 'completion'));
  });

  it('5.5 that was never recorded holds nothing up, and querying and synchronising succeed at once', () => {
    const { codes, call, at } = run((host, p) => {
      p.kernel('k', takes(100));
      p.event('e');
      host.launchKernel('k', 's', {}, { label: 'busy' });
      host.eventQuery('e');
      host.eventSynchronize('e', { label: 'sync' });
      host.streamWaitEvent('t', 'e');
      host.launchKernel('k', 't', {}, { label: 'free' });
    });
    expect(codes).toEqual([]);
    expect(call('sync')).toBeLessThan(5);
    expect(at('free', 'start')).toBeLessThan(at('busy', 'end'));
  });

  it('5.6 of another device works, and so does synchronising and querying it from there', () => {
    const { at, codes } = run((host, p) => {
      p.kernel('k', takes(100));
      p.event('e', { timing: false });
      p.stream('far', { device: 1, kind: 'nonBlocking' });
      host.launchKernel('k', 's', {}, { label: 'here' });
      host.eventRecord('e', 's');
      host.setDevice(1);
      host.streamWaitEvent('far', 'e');
      host.launchKernel('k', 'far', {}, { label: 'there' });
      host.eventSynchronize('e', { label: 'sync' });
      host.eventQuery('e');
    }, H200_X2);
    expect(codes).toEqual([]);
    expect(at('there', 'start')).toBeGreaterThan(at('here', 'completion'));
    expect(at('sync', 'callEnd')).toBeGreaterThan(at('here', 'completion'));
  });
});

describe('elapsed time', () => {
  const records = (other: boolean) =>
    run((host, p) => {
      p.kernel('k', takes(20));
      p.kernel('crowd', { grid: 2000, block: 1024, phases: [{ op: 'spin', duration: '100us' }] });
      for (const e of ['begin', 'end']) p.event(e);
      if (other) host.launchKernel('crowd', 't', {}, { label: 'crowd' });
      host.eventRecord('begin', 's', { label: 'begin' });
      host.launchKernel('k', 's');
      host.eventRecord('end', 's', { label: 'end' });
      host.eventElapsedTime('begin', 'end', { label: 'early' });
      host.deviceSynchronize();
      host.eventElapsedTime('begin', 'end', { label: 'late' });
    });

  it('5.7 between records of one stream holds the time of other streams that were in the way', () => {
    const between = (other: boolean) => {
      const { at } = records(other);
      return at('end', 'completion') - at('begin', 'completion');
    };
    expect(between(false)).toBeGreaterThan(20);
    expect(between(false)).toBeLessThan(30);
    expect(between(true)).toBeGreaterThan(100);
  });

  it('5.7 is not ready (600) until both have been reached', () => {
    const { timeline } = records(false);
    expect(timeline.errors.map(({ operation, code }) => [timeline.operations[operation]?.id, code])).toEqual([
      ['early', 600],
    ]);
  });
});

it('[event-cutorch-222-rerecord] 5.4 of three streams that record one event, a wait covers the last', () => {
  const unfinished = (events: readonly string[]) => {
    const { of, timeline } = run((host, p) => {
      for (const event of new Set(events)) p.event(event, { timing: false });
      for (const [i, event] of events.entries()) {
        p.stream(`p${i}`, { kind: 'nonBlocking' });
        p.kernel(`k${i}`, takes(200 - 50 * i));
        host.launchKernel(`k${i}`, `p${i}`, {}, { label: `producer ${i}` });
        host.eventRecord(event, `p${i}`);
      }
      for (const event of new Set(events)) host.streamWaitEvent('s', event);
      p.kernel('reader', takes(1));
      host.launchKernel('reader', 's', {}, { label: 'reader' });
    });
    const { start } = of('reader');
    return timeline.operations.filter((o) => o.id.startsWith('producer') && o.end > start).map(({ id }) => id);
  };
  expect(unfinished(['e', 'e', 'e'])).toEqual(['producer 0', 'producer 1']);
  expect(unfinished(['e0', 'e1', 'e2'])).toEqual([]);
});
