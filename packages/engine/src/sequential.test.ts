import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Actor, Context, Message } from './actor.ts';
import { MAX_ACTORS } from './event-queue.ts';
import { TimeOverflow } from './executor.ts';
import { runSequential, runSuspendable } from './sequential.ts';

interface Handled {
  readonly actor: number;
  readonly time: number;
  readonly what: string;
}

interface Behaviour {
  readonly start?: (context: Context) => void;
  readonly receive?: (message: Message, source: number, context: Context) => void;
  readonly timer?: (code: number, argument: number, context: Context) => void;
}

/** Actors that write what they handle into one log, then do what they were given. */
function recorded(behaviours: readonly Behaviour[]): { actors: Actor[]; log: Handled[] } {
  const log: Handled[] = [];
  const actors = behaviours.map((behaviour, index): Actor => {
    const note = (context: Context, what: string) => log.push({ actor: context.self, time: context.now, what });
    return {
      name: `actor-${index}`,
      start: (context) => behaviour.start?.(context),
      receive: (message, source, context) => {
        note(context, `${message.type} from ${source}`);
        behaviour.receive?.(message, source, context);
      },
      timer: (code, argument, context) => {
        note(context, `timer ${code} ${argument}`);
        behaviour.timer?.(code, argument, context);
      },
    };
  });
  return { actors, log };
}

const say = (text: string): Message => ({ type: text });

describe('order', () => {
  test('of one instant goes by source, whoever sent first', () => {
    const { actors, log } = recorded([
      {},
      { start: (c) => c.timer(5, 0, 1, 0), timer: (_code, _argument, c) => c.send(0, 5, say('late')) },
      { start: (c) => c.send(0, 10, say('early')) },
    ]);
    runSequential(actors);
    expect(log.slice(1)).toEqual([
      { actor: 0, time: 10, what: 'late from 1' },
      { actor: 0, time: 10, what: 'early from 2' },
    ]);
  });

  test('of one instant puts messages and priority 0 before later priorities', () => {
    const { actors, log } = recorded([
      {
        start: (c) => {
          c.timer(10, 15, 3, 0);
          c.timer(10, 1, 2, 0);
          c.timer(10, 0, 1, 0);
          c.send(0, 10, say('self'));
        },
      },
      { start: (c) => c.send(0, 10, say('hello')) },
    ]);
    runSequential(actors);
    expect(log.map((h) => h.what)).toEqual(['timer 1 0', 'self from 0', 'hello from 1', 'timer 2 0', 'timer 3 0']);
  });

  test('of what one actor sends for one instant is the order of its calls', () => {
    const texts = Array.from({ length: 500 }, (_, i) => `m${i}`);
    const { actors, log } = recorded([
      {},
      {
        start: (c) => {
          for (const t of texts) c.send(0, 7, say(t));
        },
      },
    ]);
    runSequential(actors);
    expect(log.map((h) => h.what)).toEqual(texts.map((t) => `${t} from 1`));
  });

  test('lets an event of now that is made now run now, before the next instant', () => {
    const { actors, log } = recorded([
      {
        start: (c) => {
          c.timer(3, 2, 0, 0);
          c.timer(4, 0, 1, 0);
        },
        timer: (code, _argument, c) => {
          if (code === 0) c.timer(c.now, 0, 2, 0);
        },
      },
    ]);
    runSequential(actors);
    expect(log.map((h) => `${h.time}: ${h.what}`)).toEqual(['3: timer 0 0', '3: timer 2 0', '4: timer 1 0']);
  });

  test('starts actors in order of their ids, and they need no start', () => {
    const started: number[] = [];
    const actor = (): Actor => ({ name: 'a', start: (c) => started.push(c.self), receive() {}, timer() {} });
    runSequential([actor(), { name: 'none', receive() {}, timer() {} }, actor()]);
    expect(started).toEqual([0, 2]);
  });

  test('what an actor sees does not depend on the order in which another inserts for several targets', () => {
    const plan = fc.array(fc.record({ target: fc.nat(2), delay: fc.nat(3) }), { maxLength: 40 });
    fc.assert(
      fc.property(plan, (sends) => {
        // Within one target the calls keep their order; across targets they are regrouped.
        const regrouped = [...sends.keys()].sort((a, b) => (sends[a]?.target ?? 0) - (sends[b]?.target ?? 0) || a - b);
        const seen = (order: readonly number[]) => {
          const start = (c: Context) => {
            for (const i of order) c.send(sends[i]?.target as number, sends[i]?.delay as number, say(`${i}`));
          };
          const { actors, log } = recorded([{}, {}, {}, { start }]);
          runSequential(actors);
          return [0, 1, 2].map((actor) => log.filter((h) => h.actor === actor));
        };
        expect(seen(regrouped)).toEqual(seen([...sends.keys()]));
      }),
    );
  });

  test('time never goes back and no event is lost', () => {
    const plan = fc.array(fc.record({ at: fc.nat(50), priority: fc.nat(15), delay: fc.nat(20) }), { maxLength: 60 });
    fc.assert(
      fc.property(plan, (timers) => {
        const { actors, log } = recorded([
          {
            start: (c) => {
              for (const [i, { at, priority }] of timers.entries()) c.timer(at, priority, i, 0);
            },
            timer: (code, _argument, c) => c.send(1, timers[code]?.delay as number, say('done')),
          },
          {},
        ]);
        const run = runSequential(actors);
        expect(run).toMatchObject({ outcome: 'drained', events: 2 * timers.length, messages: timers.length });
        expect(log.map((h) => h.time)).toEqual(log.map((h) => h.time).sort((a, b) => a - b));
        expect(run.time).toBe(Math.max(0, ...timers.map((t) => t.at + t.delay)));
      }),
    );
  });
});

describe('faults name the actor', () => {
  const run = (start: (context: Context) => void) => () => runSequential(recorded([{}, { start }]).actors);

  test.each<[string, (c: Context) => void, RegExp]>([
    ['a negative delay', (c) => c.send(0, -1, say('x')), /actor actor-1 sends "x" with a delay of -1 ps/],
    ['a fractional delay', (c) => c.send(0, 0.5, say('x')), /actor actor-1 sends "x" with a delay of 0\.5 ps/],
    ['a delay that is no number', (c) => c.send(0, Number.NaN, say('x')), /actor-1 .*delay of NaN/],
    ['an infinite delay', (c) => c.send(0, Number.POSITIVE_INFINITY, say('x')), /actor-1 .*delay of Infinity/],
    ['an unknown target', (c) => c.send(2, 0, say('x')), /actor actor-1 sends "x" to actor 2, which is not there/],
    ['a target that is no index', (c) => c.send(-1, 0, say('x')), /actor actor-1 .*actor -1, which is not there/],
    ['a fractional time', (c) => c.timer(1.5, 0, 0, 0), /actor actor-1 sets a timer at 1\.5 ps/],
    ['a time beyond exact integers', (c) => c.timer(2 ** 53, 0, 0, 0), /actor actor-1 sets a timer at/],
    ['a message beyond them', (c) => c.send(0, 2 ** 53, say('x')), /actor actor-1 sends "x" with a delay/],
    ['a priority too large', (c) => c.timer(0, 16, 0, 0), /actor actor-1 sets a timer of priority 16/],
    ['a fractional priority', (c) => c.timer(0, 0.5, 0, 0), /actor actor-1 sets a timer of priority 0\.5/],
    ['a negative code', (c) => c.timer(0, 0, -1, 0), /actor actor-1 sets a timer of code -1/],
    ['a code too large', (c) => c.timer(0, 0, 2 ** 31, 0), /actor actor-1 sets a timer of code/],
  ])('%s', (_name, start, message) => {
    expect(run(start)).toThrow(message);
  });

  test('times beyond exact integers have an error of their own, infinite ones have not', () => {
    expect(run((c) => c.timer(2 ** 53, 0, 0, 0))).toThrow(TimeOverflow);
    expect(run((c) => c.send(0, 2 ** 60, say('x')))).toThrow(TimeOverflow);
    expect(run((c) => c.timer(Number.POSITIVE_INFINITY, 0, 0, 0))).not.toThrow(TimeOverflow);
  });

  test('a timer in the past, with the time it happened', () => {
    const { actors } = recorded([{ start: (c) => c.timer(10, 0, 0, 0), timer: (_code, _a, c) => c.timer(9, 0, 0, 0) }]);
    expect(() => runSequential(actors)).toThrow('actor actor-0 sets a timer at 9 ps (at 10 ps)');
  });

  test('an error of its own, which is the cause', () => {
    const own = new TypeError('no such SM');
    const { actors } = recorded([
      { start: (c) => c.send(1, 4, say('x')) },
      {
        receive: () => {
          throw own;
        },
      },
    ]);
    let thrown: unknown;
    try {
      runSequential(actors);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ message: 'actor actor-1 failed: no such SM (at 4 ps)', cause: own });
  });

  test('too many actors are refused before any starts', () => {
    let started = false;
    const start = () => {
      started = true;
    };
    const actor: Actor = { name: 'a', start, receive() {}, timer() {} };
    expect(() => runSequential(new Array(MAX_ACTORS + 1).fill(actor))).toThrow(RangeError);
    expect(started).toBe(false);
  });

  test('the most actors run', () => {
    const actor: Actor = { name: 'a', receive() {}, timer() {} };
    const sender: Actor = { ...actor, start: (c) => c.send(0, 1, say('x')) };
    const actors = [...new Array<Actor>(MAX_ACTORS - 1).fill(actor), sender];
    expect(runSequential(actors)).toMatchObject({ events: 1, messages: 1 });
  });
});

describe('limits and progress', () => {
  const clock = (): Actor => ({
    name: 'clock',
    start: (c) => c.timer(0, 0, 0, 0),
    receive() {},
    timer: (_code, _argument, c) => c.timer(c.now + 10, 0, 0, 0),
  });

  test('a limit stops a run that would never end and says so', () => {
    expect(runSequential([clock()], { maxEvents: 25 })).toEqual({
      outcome: 'limit',
      time: 240,
      events: 25,
      messages: 0,
    });
  });

  test('a limit that is just enough is no limit', () => {
    const once: Actor = { name: 'once', start: (c) => c.timer(3, 0, 0, 0), receive() {}, timer() {} };
    expect(runSequential([once], { maxEvents: 1 })).toMatchObject({ outcome: 'drained', time: 3 });
    expect(runSequential([once], { maxEvents: 0 })).toMatchObject({ outcome: 'limit', time: 0, events: 0 });
  });

  test('nothing to do is done at once', () => {
    expect(runSequential([])).toEqual({ outcome: 'drained', time: 0, events: 0, messages: 0 });
  });

  test('progress comes every so many events', () => {
    const seen: [number, number][] = [];
    runSequential([clock()], {
      maxEvents: 25,
      progressEvery: 10,
      onProgress: (time, events) => seen.push([time, events]),
    });
    expect(seen).toEqual([
      [90, 10],
      [190, 20],
    ]);
  });

  test('what progress throws ends the run and comes out as it is', () => {
    const cancelled = new Error('cancelled');
    const onProgress = () => {
      throw cancelled;
    };
    expect(() => runSequential([clock()], { progressEvery: 1, onProgress })).toThrow(cancelled);
  });

  test('messages to oneself are not counted as messages', () => {
    const self: Actor = { name: 's', start: (c) => c.send(0, 1, say('x')), receive() {}, timer() {} };
    expect(runSequential([self, self])).toMatchObject({ events: 2, messages: 1 });
  });

  describe('an event that its actor suspends', () => {
    /** Wakes at 10, and needs the answers of two promises before it goes on; another actor wakes at 10 and 11. */
    const run = (answer: () => Promise<unknown>) => {
      const seen: string[] = [];
      let asked = 0;
      const asks: Actor = {
        name: 'asks',
        start: (c) => c.timer(10, 0, 7, 42),
        receive() {},
        timer(code, argument, c) {
          seen.push(`asks ${code} ${argument} at ${c.now}`);
          if (asked++ < 2) c.suspend(answer());
          else if (code === 7) c.timer(11, 0, 8, 0);
        },
      };
      const other: Actor = {
        name: 'other',
        start(c) {
          c.timer(10, 0, 1, 0);
          c.timer(11, 0, 2, 0);
        },
        receive() {},
        timer: (code, _, c) => seen.push(`other ${code} at ${c.now}`),
      };
      return { actors: [asks, other], seen };
    };

    test('is handled again when the promise has settled, before any other, and counts once', async () => {
      const { actors, seen } = run(() => new Promise((resolve) => setTimeout(resolve, 1)));
      expect(await runSuspendable(actors)).toMatchObject({ outcome: 'drained', time: 11, events: 4 });
      expect(seen).toEqual([
        ...['asks 7 42 at 10', 'asks 7 42 at 10', 'asks 7 42 at 10', 'other 1 at 10'],
        ...['asks 8 0 at 11', 'other 2 at 11'],
      ]);
    });

    test('ends the run with what the promise rejects with', async () => {
      const error = new Error('no');
      await expect(runSuspendable(run(() => Promise.reject(error)).actors)).rejects.toBe(error);
    });

    test('is refused where the loop cannot await', () => {
      expect(() => runSequential(run(() => Promise.resolve()).actors)).toThrow('an actor suspends its event');
    });
  });
});
