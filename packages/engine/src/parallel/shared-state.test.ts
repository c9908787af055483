import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { SharedState, STOPPED } from './shared-state.ts';

const fresh = (shards: number) => new SharedState(SharedState.memory(shards));

describe('the bound of a run', () => {
  it('rises to the earliest event when all shards are blocked and nothing is under way', () => {
    const state = fresh(3);
    state.block(0, 500, 2, 1);
    state.block(1, 300, 1, 1);
    state.detect();
    expect(state.bound()).toBe(0);
    state.block(2, 900, 0, 1);
    state.detect();
    expect(state.bound()).toBe(300);
  });

  it('stays while a message is under way, or a shard goes on', () => {
    const state = fresh(2);
    state.block(0, 500, 1, 0);
    state.block(1, 300, 0, 0);
    state.detect();
    expect(state.bound()).toBe(0);
    state.unblock(1);
    state.block(1, 300, 0, 1);
    state.unblock(0);
    state.detect();
    expect(state.bound()).toBe(0);
  });

  it('is infinite when no event is left, and never falls', () => {
    const state = fresh(2);
    state.block(0, Number.POSITIVE_INFINITY, 0, 0);
    state.block(1, Number.POSITIVE_INFINITY, 0, 0);
    state.detect();
    expect(state.bound()).toBe(Number.POSITIVE_INFINITY);
    state.unblock(0);
    state.block(0, 5, 0, 0);
    state.detect();
    expect(state.bound()).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('shared words', () => {
  it('keep clocks, traces and the reason to stop apart by shard', () => {
    const state = fresh(2);
    state.setClock(1, Number.MAX_SAFE_INTEGER);
    state.trace(1).set([7, 123, 42]);
    state.setEvents(1, 99);
    expect([state.clock(0), state.clock(1)]).toEqual([0, Number.MAX_SAFE_INTEGER]);
    expect(state.traceOf(1)).toEqual({ actor: 7, time: 123, subject: 42, events: 99 });
    expect(state.traceOf(0)).toEqual({ actor: 0, time: 0, subject: 0, events: 0 });
    expect(state.stopped).toBe(STOPPED.running);
    state.stop(STOPPED.limit);
    expect(state.stopped).toBe(STOPPED.limit);
  });
});

describe('a shard that sleeps', () => {
  /** Shard 0 of three sleeps, held back by shard 1; whether it is awake soon after something was done. */
  async function isWokenBy(act: (state: SharedState) => void): Promise<boolean> {
    const memory = SharedState.memory(3);
    const state = new SharedState(memory);
    const worker = new Worker(new URL('sleeper.fixture.mjs', import.meta.url), { workerData: { memory, heldBy: 1 } });
    try {
      await new Promise((resolve) => worker.once('message', resolve));
      await setTimeout(50);
      const awake = new Promise<boolean>((resolve) => worker.once('message', () => resolve(true)));
      act(state);
      return await Promise.race([awake, setTimeout(1000, false)]);
    } finally {
      await worker.terminate();
    }
  }

  it.each<[string, (state: SharedState) => void]>([
    ['the clock of the shard that holds it back', (state) => state.setClock(1, 5)],
    ['a message', (state) => state.wake(0)],
    ['the end of the run', (state) => state.stop(STOPPED.aborted)],
    ['a failure elsewhere', (state) => state.fail(7)],
    [
      'a bound for all',
      (state) => {
        for (const shard of [0, 1, 2]) state.block(shard, 3, 0, 0);
        state.detect();
      },
    ],
  ])('is woken by %s', async (_, act) => {
    expect(await isWokenBy(act)).toBe(true);
  });

  it('is left alone by the clock of another, and a message to another', async () => {
    expect(await isWokenBy((state) => state.setClock(2, 5))).toBe(false);
    expect(await isWokenBy((state) => state.wake(2))).toBe(false);
  });
});
