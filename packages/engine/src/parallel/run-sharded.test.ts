import { describe, expect, it } from 'vitest';
import type { Actor } from '../actor.ts';
import { barriers } from '../examples/barriers.ts';
import { barriersModel, placeShards } from '../examples/barriers-model.ts';
import { phold } from '../examples/phold.ts';
import { evenShards, pholdModel } from '../examples/phold-model.ts';
import { runSequential } from '../sequential.ts';
import { PromiseBreach, RunAborted, ShardLost } from './faults.ts';
import type { ShardedModel } from './model.ts';
import { runSharded } from './run-sharded.ts';
import { ThreadPool } from './thread-pool.ts';

const SMALL = { actors: 48, population: 4, end: 60_000, seed: 3 };

/** Two actors that pass a token, one of which misbehaves at a time (ps). */
const faulty = (fault: string, at = 50_000, actor = 1): ShardedModel => ({
  module: new URL('./faulty.fixture.mjs', import.meta.url).href,
  data: { fault, at, actor },
  names: ['left', 'right'],
  shapes: [],
  lookahead: () => 1000,
});
const apart = { shards: [[0], [1]] };
const caught = (run: Promise<unknown>): Promise<Error> =>
  run.then(
    () => Promise.reject(),
    (error) => error,
  );

describe('the outcome is that of one queue', () => {
  const processes = phold(SMALL);
  const sequential = runSequential(processes);
  const expected = processes.map((process) => process.result());

  it.each([1, 2, 3, 8])('with %i shards', async (count) => {
    const run = await runSharded(pholdModel(SMALL), { shards: evenShards(SMALL.actors, count) });
    expect(run.results).toEqual(expected);
    expect(run).toMatchObject(sequential);
    expect(run.shards.map((s) => s.actors).reduce((a, b) => a + b)).toBe(SMALL.actors);
    expect(run.shards.reduce((sum, s) => sum + s.sent - s.received, 0)).toBe(0);
  });

  it('with one actor a shard, dealt in any order', async () => {
    const small = { ...SMALL, actors: 9 };
    const few = phold(small);
    runSequential(few);
    const shards = [3, 1, 4, 0, 5, 8, 2, 6, 7].map((id) => [id]);
    const run = await runSharded(pholdModel(small), { shards });
    expect(run.results).toEqual(few.map((process) => process.result()));
  });

  it.each([1, 2, 3])('with deliveries delayed at random, seed %i', async (jitter) => {
    const run = await runSharded(pholdModel(SMALL), { shards: evenShards(SMALL.actors, 3), jitter });
    expect(run.results).toEqual(expected);
    expect(run).toMatchObject(sequential);
  });

  it('with threads that are used again, also after a run that failed', async () => {
    const pool = new ThreadPool();
    for (const count of [4, 2, 3]) {
      const run = await runSharded(pholdModel(SMALL), { shards: evenShards(SMALL.actors, count), pool });
      expect(run.results).toEqual(expected);
      await caught(runSharded(faulty('throw'), { ...apart, pool }));
    }
    await pool.close();
  });

  it('with actors that only the calling thread has', async () => {
    const [first] = phold(SMALL);
    const local = new Map([[0, first as NonNullable<typeof first>]]);
    const run = await runSharded({ ...pholdModel(SMALL), local }, { shards: evenShards(SMALL.actors, 2) });
    expect(run.results).toEqual(expected);
    expect(first?.handled).toBeGreaterThan(0);
  });
});

describe('patient actors', () => {
  const options = { parties: 12, rounds: 40, work: 50_000, latency: 2000, seed: 5 };
  const inOnePlace: readonly Actor[] = barriers({ ...options, places: 1 });
  runSequential(inOnePlace);
  const expected = inOnePlace.map((actor) => actor.result?.());

  it.each([
    [2, undefined],
    [3, undefined],
    [4, 1],
    [4, 2],
  ])(
    '%i places that wait for each other only once their own have come, deliveries delayed by %s',
    async (places, jitter) => {
      const all = { ...options, places };
      const run = await runSharded(barriersModel(all), {
        shards: placeShards(all),
        ...(jitter === undefined ? {} : { jitter }),
      });
      expect(run.results.slice(0, options.parties)).toEqual(expected.slice(0, options.parties));
    },
  );
});

describe('a run that cannot go on ends with its cause', () => {
  it('an actor in another thread throws', async () => {
    const error = await caught(runSharded(faulty('throw'), apart));
    expect(error.message).toBe('actor right failed: no such SM (at 51000 ps)');
  });

  it('an actor in the calling thread throws', async () => {
    const error = await caught(runSharded(faulty('throw', 50_000, 0), apart));
    expect(error.message).toBe('actor left failed: no such SM (at 50000 ps)');
  });

  it.each([
    ['the calling thread', 10_000, 100, 20_000, 0, 'left'],
    ['another thread', 20_000, 0, 10_000, 100, 'right'],
    ['the calling thread, the other before it in wall time by much', 10_000, 300, 10_001, 0, 'left'],
  ])(
    'two actors throw, and the one that one queue would meet first is named: in %s',
    async (_where, a, slowA, b, slowB, who) => {
      const timers = [
        { at: a, after: slowA },
        { at: b, after: slowB },
      ];
      const model = { ...faulty('none'), data: { timers }, lookahead: () => 1e9 };
      expect(await caught(runSharded(model, apart))).toMatchObject({
        message: `actor ${who} failed: reached ${Math.min(a, b)} (at ${Math.min(a, b)} ps)`,
        where: { time: Math.min(a, b) },
      });
    },
  );

  it.each([
    ['exits', 'exit', 'it exited with code 3'],
    ['runs out of memory', 'memory', 'memory'],
  ])('a thread %s', async (_what, fault, why) => {
    const error = (await caught(runSharded(faulty(fault), { ...apart, threadMemoryMb: 64 }))) as ShardLost;
    expect(error).toBeInstanceOf(ShardLost);
    expect(error.message).toContain('the thread of shard 1 ended at 51000 ps, handling right');
    expect(error.message).toContain(why);
    expect(error).toMatchObject({ shard: 1, actor: 1, time: 51_000, subject: 42 });
  });

  it('a thread is killed', async () => {
    const killed = runSharded(faulty('hang'), {
      ...apart,
      onThread: (worker) => void setTimeout(() => worker.terminate(), 300),
    });
    expect(await caught(killed)).toBeInstanceOf(ShardLost);
  });

  it('a message comes before its promise', async () => {
    const error = await caught(runSharded(faulty('breach'), apart));
    expect(error).toBeInstanceOf(PromiseBreach);
    expect(error.message).toMatch(/"early" from right to left arrives at \d+ ps.* nothing before \d+ ps/);
  });

  it('it is told to stop, within a second', async () => {
    const stop = new AbortController();
    const began = performance.now();
    setTimeout(() => stop.abort(), 200);
    const error = await caught(runSharded(faulty('hang', 1e6), { ...apart, signal: stop.signal }));
    expect(error).toBeInstanceOf(RunAborted);
    expect(performance.now() - began).toBeLessThan(1500);
  });

  it('at a limit of events it says so', { timeout: 60_000 }, async () => {
    const run = await runSharded(faulty('none'), { ...apart, maxEvents: 20_000 });
    expect(run.outcome).toBe('limit');
    expect(run.events).toBeGreaterThanOrEqual(20_000);
  });
});

describe('what cannot run is refused', () => {
  it('more threads than the machine can start', async () => {
    const shards = Array.from({ length: 50_000 }, () => [] as number[]);
    (shards[0] as number[]).push(0, 1);
    const error = await caught(runSharded(faulty('none'), { shards }));
    expect(error.message).toMatch(/^49999 threads; this machine can start \d+$/);
  });

  it('an actor in no shard, and shards without a least delay', async () => {
    expect((await caught(runSharded(faulty('none'), { shards: [[0]] }))).message).toBe('actor 1 is in no shard');
    const none = { ...faulty('none'), lookahead: () => 0 };
    expect((await caught(runSharded(none, apart))).message).toBe(
      'left and right must be in one shard: least delay 0 ps',
    );
  });
});
