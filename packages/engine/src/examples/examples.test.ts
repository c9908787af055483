import { describe, expect, test } from 'vitest';
import { runSequential } from '../sequential.ts';
import { phold } from './phold.ts';
import { pingPong } from './ping-pong.ts';

describe('ping-pong', () => {
  test('the ball arrives once a latency, on alternate sides', () => {
    const players = pingPong(5, 700);
    const run = runSequential(players);
    expect(run).toEqual({ outcome: 'drained', time: 3500, events: 5, messages: 5 });
    expect(players.map((p) => p.hits)).toEqual([
      [1400, 2800],
      [700, 2100, 3500],
    ]);
  });

  test('no turn, no event', () => {
    expect(runSequential(pingPong(0, 1))).toMatchObject({ events: 0, time: 0 });
  });
});

describe('PHOLD', () => {
  const small = { actors: 32, population: 4, end: 200_000, seed: 7 };
  const outcome = (options: Parameters<typeof phold>[0]) => {
    const processes = phold(options);
    const run = runSequential(processes);
    return { run, handled: processes.map((p) => p.handled), checksums: processes.map((p) => p.checksum) };
  };

  test('two runs with one seed agree in every process', () => {
    expect(outcome(small)).toEqual(outcome(small));
  });

  test('the outcome is the recorded one on every platform', () => {
    const { run, checksums } = outcome(small);
    expect({ ...run, checksum: checksums.reduce((sum, c) => (sum + c) | 0, 0) }).toMatchInlineSnapshot(`
      {
        "checksum": 1609761325,
        "events": 2559,
        "messages": 676,
        "outcome": "drained",
        "time": 199939,
      }
    `);
  });

  test('another seed gives another run', () => {
    expect(outcome({ ...small, seed: 8 }).checksums).not.toEqual(outcome(small).checksums);
  });

  test('the share of messages is the share asked for', () => {
    const { run } = outcome({ actors: 64, population: 16, end: 1_000_000, remote: 0.25 });
    expect(run.messages / run.events).toBeCloseTo(0.25, 1);
  });

  test('with nothing remote no process sends', () => {
    expect(outcome({ ...small, remote: 0 }).run.messages).toBe(0);
    expect(outcome({ ...small, actors: 1, remote: 1 }).run.messages).toBe(0);
  });

  test('a generator belongs to one process: the others draw the same when it falls silent', () => {
    const local = { ...small, remote: 0 };
    const all = phold(local);
    runSequential(all);
    const others = phold(local).slice(0, -1);
    runSequential(others);
    expect(others.map((p) => p.checksum)).toEqual(all.slice(0, -1).map((p) => p.checksum));
  });
});
