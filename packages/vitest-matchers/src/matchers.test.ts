import { machineByName } from '@griddep/machine';
import { load, type Program, programBuilder, spin, store, trigger, wait } from '@griddep/program';
import { simulate } from '@griddep/simulator';
import { describe, expect, it } from 'vitest';
import './register.ts';

interface Input {
  readonly waits?: boolean;
  readonly early?: boolean;
  readonly streams?: 1 | 2;
  readonly device?: number;
}

/** `make` writes x and `use` reads it, launched early or in order, in one stream or two. */
function pair({ waits = true, early = true, streams = 1, device = 0 }: Input): Program {
  const p = programBuilder('pair');
  p.buffer('x', { bytes: '64KiB', device });
  for (const name of ['s', 't']) p.stream(name, { kind: 'nonBlocking', device });
  p.kernel('make', { grid: 16, block: 256, phases: [trigger(), spin('20us'), store('64KiB', 'x')] });
  p.kernel('use', { grid: 16, block: 256, phases: [spin('5us'), ...(waits ? [wait()] : []), load('64KiB', 'x')] });
  const host = p.hostThread('main', { device });
  host.launchKernel('make', 's');
  const attributes = { programmaticStreamSerialization: early };
  host.launchKernel('use', streams === 1 ? 's' : 't', attributes, { label: 'late' });
  host.deviceSynchronize();
  return p.build();
}

/** The message with which something fails. */
function failure(run: () => void): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('it did not fail');
}

describe('toBeFreeOfHazards', () => {
  it('2.2 passes what is ordered, and tells what is not with the change', () => {
    expect(pair({})).toBeFreeOfHazards();
    expect(pair({ waits: false })).not.toBeFreeOfHazards();
    const message = failure(() => expect(pair({ waits: false })).toBeFreeOfHazards());
    expect(message).toContain('expected "pair" to be free of hazards by the reading "contract"');
    expect(message).toContain('race (no-wait): "late" (kernel "use") reads "x"');
    expect(message).toContain('missing: the end of "make" before the access of "late"');
    expect(message).toContain('change: let kernel "use" wait (griddepcontrol.wait)');
    expect(failure(() => expect(pair({})).not.toBeFreeOfHazards())).toContain('and it has none');
  });

  it('judges by the reading and the machine asked for', () => {
    expect(pair({})).not.toBeFreeOfHazards({ assume: 'strict' });
    expect(pair({})).toBeFreeOfHazards({ assume: 'hardware' });
    // Without programmatic launches there is nothing to order.
    expect(pair({ waits: false })).toBeFreeOfHazards({ machine: 'a100' });
    expect(pair({ device: 1 })).toBeFreeOfHazards();
  });

  it('takes programs only', () => {
    for (const given of [3, null, {}, simulate(pair({}), machineByName('h200'))]) {
      expect(failure(() => expect(given).toBeFreeOfHazards())).toContain('toBeFreeOfHazards takes a program, not');
    }
  });
});

describe('toOverlap, toRunBefore', () => {
  const early = pair({});
  const ordered = pair({ early: false });

  it('1.2 tell early launches from ordered ones, by label or kernel, in programs and timelines', () => {
    for (const [name, early_, ordered_] of [
      ['late', early, ordered],
      ['use', simulate(early, machineByName('h200')), simulate(ordered, machineByName('h200'))],
    ] as const) {
      expect(early_).toOverlap('make', name);
      expect(early_).toOverlap(name, 'make');
      expect(early_).not.toRunBefore('make', name);
      expect(ordered_).not.toOverlap('make', name);
      expect(ordered_).toRunBefore('make', name);
      expect(ordered_).not.toRunBefore(name, 'make');
    }
    expect(pair({ streams: 2 })).toOverlap('make', 'use');
  });

  it('tell when both ran and why', () => {
    const overlap = failure(() => expect(ordered).toOverlap('make', 'late'));
    expect(overlap).toMatch(
      /^expected "make" to overlap "late":\n {2}"make#0" ran from [\d.]+ to [\d.]+ us in stream "s"/,
    );
    expect(overlap).toMatch(/"late" ran from [\d.]+ to [\d.]+ us in stream "s" of device 0, started by: \S/);
    expect(failure(() => expect(early).not.toOverlap('make', 'late'))).toMatch(
      /not to overlap "late"; they do for [\d.]+ us/,
    );
    const before = failure(() => expect(early).toRunBefore('make', 'late'));
    expect(before).toMatch(/to be complete before "late" starts; it is not by [\d.]+ us:\n.*complete at [\d.]+ us\n/);
    expect(before).toContain('"late" ran');
    expect(failure(() => expect(ordered).toRunBefore('late', 'make'))).toContain('started by: stream order of make#0');
    expect(failure(() => expect(ordered).not.toRunBefore('make', 'late'))).toMatch(
      /not to be complete.*it is by [\d.]+ us/,
    );
  });

  it('refuse names that are none, or one operation', () => {
    expect(failure(() => expect(early).toOverlap('made', 'late'))).toMatch(/no operation "made"; there are .*make/);
    expect(failure(() => expect(early).toOverlap('late', 'use'))).toContain('are one operation');
    expect(failure(() => expect(early).toRunBefore('late', 'use'))).toContain('are one operation');
    expect(failure(() => expect('x').toOverlap('a', 'b'))).toContain(
      'takes a program or a timeline, not a value of type string',
    );
  });
});

describe('toFinishWithin', () => {
  it('tells what came last and what it waited for', () => {
    expect(pair({})).toFinishWithin('500us');
    expect(simulate(pair({}), machineByName('h200'))).toFinishWithin('500us');
    expect(pair({})).not.toFinishWithin('10us');
    const message = failure(() => expect(pair({ early: false })).toFinishWithin('10us'));
    expect(message).toMatch(
      /^expected "pair" to finish within 10us; it takes [\d.]+ us, the last being\n {2}"late" ran/,
    );
    expect(message).toContain('"make#0" ran');
    expect(failure(() => expect(pair({})).not.toFinishWithin('1ms'))).toContain('not to finish within 1ms');
    expect(failure(() => expect(pair({})).toFinishWithin('10'))).toContain('has no unit');
  });

  it('5.13 fails where something never ends', () => {
    const p = programBuilder('waits');
    p.stream('s');
    p.event('e');
    const host = p.hostThread('main');
    host.streamWaitValue('s', 'never');
    host.streamSynchronize('s');
    const message = failure(() => expect(p.build()).toFinishWithin('1s'));
    expect(message).toContain('expected "waits" to finish within 1s; it never does:\n');
    expect(p.build()).not.toBeFreeOfHazards();
  });
});
