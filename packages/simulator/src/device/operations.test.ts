import { machineByName } from '@griddep/machine';
import { programBuilder, spin } from '@griddep/program';
import { describe, expect, it } from 'vitest';
import { simulate } from '../simulate.ts';
import { DeviceOperation } from './operation.ts';
import { LogReader } from './operation-log.ts';
import { Operations } from './operations.ts';

const MANY = 2000;
const EMPTY = { type: 'empty' } as const;

function operation(op: number): DeviceOperation {
  return new DeviceOperation(op, 0, EMPTY, false, op);
}

describe('operations of a device', () => {
  it('leave their record and milestones once they are over, and stay while something is to come', () => {
    const operations = new Operations();
    const waiting = operation(0);
    const open = operation(1);
    open.require(waiting, { milestone: 'seen', latency: 0, cause: 'stream', from: 0, wake: undefined });
    waiting.reach('complete', 5);
    for (const each of [waiting, open]) operations.add(each);
    for (let op = 2; op < MANY; op++) {
      const each = operation(op);
      each.unit = 'queue 1';
      each.heldUntil('residentGrids', 1, op, op + 3, 'why');
      each.heldUntil('stream', 0, op + 3, op + 4);
      each.addShared('link', 8, 4);
      for (const milestone of ['triggered', 'started', 'complete'] as const) each.reach(milestone, op + 10);
      operations.add(each);
    }
    expect(operations.get(0)).toBe(waiting);
    expect(operations.get(1)).toBe(open);
    const over = operations.get(2);
    expect(over?.isComplete).toBe(true);
    expect(over?.reached).toEqual({ complete: 12, triggered: 12, started: 12, seen: Number.NaN });
    expect(operations.get(MANY)).toBeUndefined();

    const { operations: logged, unfinished } = operations.result();
    expect(unfinished).toEqual([expect.objectContaining({ op: 1, state: 'waits for', awaits: [0] })]);
    const reader = new LogReader(logged);
    expect(new Set(reader.ops()).size).toBe(MANY);
    const row = reader.ops().indexOf(7);
    expect(reader.record(row)).toMatchObject({
      op: 7,
      arrived: 7,
      completion: 17,
      start: Number.NaN,
      unit: 'queue 1',
      cause: 'stream',
      causeOp: 0,
      causeDetail: undefined,
      programmatic: false,
      held: [
        { kind: 'residentGrids', op: 1, from: 7, until: 10, detail: 'why' },
        { kind: 'stream', op: 0, from: 10, until: 11 },
      ],
      shared: [{ resource: 'link', actual: 8, alone: 4 }],
    });
  });

  it('that were over long ago are what a wait for their event waits for', () => {
    const p = programBuilder('long ago');
    p.stream('a', { kind: 'nonBlocking' });
    p.stream('b', { kind: 'nonBlocking' });
    p.event('early');
    p.kernel('short', { grid: 1, block: 32, phases: [spin('1us')] });
    const host = p.hostThread();
    host.launchKernel('short', 'a');
    host.eventRecord('early', 'a');
    for (let i = 0; i < MANY; i++) host.launchKernel('short', 'a');
    host.streamSynchronize('a');
    host.streamWaitEvent('b', 'early', { label: 'wait' });
    host.launchKernel('short', 'b', undefined, { label: 'after' });
    const timeline = simulate(p.build(), machineByName('h200'));
    expect(timeline.stuck).toEqual([]);
    const after = timeline.operations.find(({ id }) => id === 'after');
    const wait = timeline.operations.find(({ id }) => id === 'wait');
    expect((wait?.completion ?? Number.NaN) - (wait?.enqueue ?? 0)).toBeLessThan(1e6);
    expect(after?.completion).toBeGreaterThan(wait?.completion ?? Number.NaN);
  });
});
