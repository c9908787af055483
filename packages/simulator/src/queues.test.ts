import { machineByName, resolvedValue } from '@griddep/machine';
import { type HostThreadBuilder, type ProgramBuilder, programBuilder } from '@griddep/program';
import type { Operation } from '@griddep/timeline';
import { describe, expect, it } from 'vitest';
import { simulate } from './simulate.ts';

const H200 = machineByName('h200');
const MIB = 2 ** 20;

/** The operations of a small program by id; kernel `k` has one block of 5 us, `long` one of 300 us. */
function run(write: (host: HostThreadBuilder, p: ProgramBuilder) => void): ReadonlyMap<string, Operation> {
  const p = programBuilder('queues');
  const block = { grid: 1, block: 128 };
  p.kernel('k', { ...block, phases: [{ op: 'spin', duration: '5us' }] });
  p.kernel('long', { ...block, phases: [{ op: 'spin', duration: '300us' }] });
  write(p.hostThread('main'), p);
  const timeline = simulate(p.build(), H200);
  expect([...timeline.stuck, ...timeline.errors]).toEqual([]);
  return new Map(timeline.operations.map((operation) => [operation.id, operation]));
}

const start = (operations: ReadonlyMap<string, Operation>, id: string): number =>
  (operations.get(id)?.start ?? Number.NaN) / 1e6;
const end = (operations: ReadonlyMap<string, Operation>, id: string): number =>
  (operations.get(id)?.end ?? Number.NaN) / 1e6;

describe('records after a copy', () => {
  it('complete together, whatever another stream copies', () => {
    const after = run((host, p) => {
      for (const stream of ['s', 't']) p.stream(stream, { kind: 'nonBlocking' });
      p.event('e', { timing: false });
      host.memcpyAsync('hostToDevice', MIB, 's', { hostMemory: 'pinned' });
      host.memcpyAsync('hostToDevice', 64 * MIB, 't', { hostMemory: 'pinned' });
      host.eventRecord('e', 's', { label: 'first' });
      host.eventRecord('e', 's', { label: 'second' });
      host.launchKernel('k', 's', undefined, { label: 'kernel' });
    });
    expect(start(after, 'second')).toBe(start(after, 'first'));
    expect(start(after, 'kernel')).toBeLessThan(100);
  });

  it('never make what follows earlier', () => {
    const kernel = (records: number) =>
      start(
        run((host, p) => {
          p.stream('s', { kind: 'nonBlocking' });
          p.event('e', { timing: false });
          host.launchKernel('k', 's');
          host.memcpyAsync('hostToDevice', MIB, 's', { hostMemory: 'pinned' });
          for (let i = 0; i < records; i++) host.eventRecord('e', 's');
          host.launchKernel('k', 's', undefined, { label: 'kernel' });
        }),
        'kernel',
      );
    const [none, one, two] = [kernel(0), kernel(1), kernel(2)] as const;
    expect(one).toBeGreaterThanOrEqual(none);
    expect(two).toBeGreaterThanOrEqual(one);
  });
});

describe('an upload of a few bytes', () => {
  it('travels in the command, whatever the copy engine is at', () => {
    const operations = run((host, p) => {
      for (const stream of ['s', 't']) p.stream(stream, { kind: 'nonBlocking' });
      host.memcpyAsync('hostToDevice', 64 * MIB, 't', { hostMemory: 'pinned' });
      host.memcpyAsync('hostToDevice', 256, 's', { hostMemory: 'pinned', label: 'small' });
    });
    expect(end(operations, 'small')).toBeLessThan(20);
  });
});

describe('waits for one event (rule 5.11)', () => {
  /** Streams that all wait for the end of a long kernel, in order, with the hardware's 8 queues. */
  const waiting = (streams: number) =>
    run((host, p) => {
      for (let s = 0; s < streams; s++) p.stream(`s${s}`, { kind: 'nonBlocking' });
      p.stream('gate', { kind: 'nonBlocking' });
      p.event('open', { timing: false });
      host.launchKernel('long', 'gate');
      host.eventRecord('open', 'gate', { label: 'opened' });
      for (let s = 0; s < streams; s++) {
        host.streamWaitEvent(`s${s}`, 'open', { label: `wait ${s}` });
        host.launchKernel('k', `s${s}`, undefined, { label: `kernel ${s}` });
      }
    });

  it('of two streams wake in order, 1.4 to 3 us apart', () => {
    const two = waiting(2);
    const apart = start(two, 'kernel 1') - start(two, 'kernel 0');
    expect(apart).toBeGreaterThan(1.4);
    expect(apart).toBeLessThan(3);
  });

  it('of one hardware queue end in the order of the queue', () => {
    const many = waiting(24);
    for (let s = 0; s + 8 < 24; s++) expect(end(many, `wait ${s + 8}`)).toBeGreaterThanOrEqual(end(many, `wait ${s}`));
  });

  it('do not pay for others that wait for an event that was complete long before', () => {
    const last = (others: boolean) =>
      start(
        run((host, p) => {
          for (const stream of ['early', 'late', 'a', 'b']) p.stream(stream, { kind: 'nonBlocking' });
          for (const event of ['soon', 'then']) p.event(event, { timing: false });
          host.launchKernel('k', 'early');
          host.eventRecord('soon', 'early');
          host.launchKernel('long', 'late');
          host.eventRecord('then', 'late');
          host.streamWaitEvent('a', 'then');
          host.streamWaitEvent('a', 'soon');
          host.launchKernel('k', 'a', undefined, { label: 'kernel' });
          if (others) host.streamWaitEvent('b', 'soon');
        }),
        'kernel',
      );
    expect(last(true)).toBe(last(false));
  });
});

describe('launch processing', () => {
  it('stays with a stream whose next command is a programmatic launch', () => {
    const second = (programmatic: boolean) => {
      const operations = run((host, p) => {
        p.kernel('early', { grid: 8, block: 128, phases: [{ op: 'trigger' }, { op: 'spin', duration: '20us' }] });
        for (const stream of ['a', 'b', 'gate']) p.stream(stream, { kind: 'nonBlocking' });
        p.event('open', { timing: false });
        host.launchKernel('long', 'gate');
        host.eventRecord('open', 'gate');
        for (const stream of ['a', 'b']) {
          host.streamWaitEvent(stream, 'open');
          host.launchKernel('early', stream, undefined, { label: `first of ${stream}` });
          host.launchKernel('early', stream, { programmaticStreamSerialization: programmatic });
        }
      });
      return start(operations, 'first of b') - start(operations, 'first of a');
    };
    expect(second(true)).toBeGreaterThanOrEqual(second(false));
  });
});

it('5.11 a queue that is loaded goes on while it has work: streams that one event lets go do not load their queues by turns', () => {
  const streams = Array.from({ length: 64 }, (_, i) => `s${i}`);
  const after = run((host, p) => {
    for (const stream of ['first', ...streams]) p.stream(stream, { kind: 'nonBlocking' });
    p.event('go', { timing: false });
    host.launchKernel('long', 'first');
    host.eventRecord('go', 'first');
    for (const stream of streams) {
      host.streamWaitEvent(stream, 'go');
      host.launchKernel('k', stream);
    }
  });
  const starts = [...after.values()].filter(({ name }) => name === 'k').map((each) => each.start / 1e6);
  const { channelLoad, launchSpacing } = (H200.devices[0] as (typeof H200.devices)[number]).timing;
  // Two queues are loaded at a time: by turns, each kernel would wait for half a load.
  const byTurns = 64 * ((resolvedValue(launchSpacing) + resolvedValue(channelLoad) / 2) / 1e6);
  expect(starts).toHaveLength(64);
  expect(Math.max(...starts) - Math.min(...starts)).toBeLessThan(0.75 * byTurns);
});
