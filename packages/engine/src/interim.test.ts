import { expect, it } from 'vitest';
import type { Actor, Context, Time } from './actor.ts';
import { type RunOptions, runSequential, runSuspendable } from './sequential.ts';

/** Handles so many events, a nanosecond apart, and gives their times. */
class Ticker implements Actor {
  readonly name = 'ticker';
  private left: number;
  private readonly times: Time[] = [];

  constructor(events: number) {
    this.left = events;
  }

  start(context: Context): void {
    context.timer(0, 0, 1, 0);
  }

  receive(): void {}

  timer(_code: number, _argument: number, context: Context): void {
    this.times.push(context.now);
    if (--this.left > 0) context.timer(context.now + 1000, 0, 1, 0);
  }

  interim(before: Time): Time[] | undefined {
    const done = this.times.filter((time) => time < before);
    this.times.splice(0, done.length);
    return done.length === 0 ? undefined : done;
  }
}

const silent: Actor = { name: 'silent', receive() {}, timer() {} };
const EVENTS = 5000;
const expected = Array.from({ length: EVENTS }, (_, i) => i * 1000);

function heard(): { readonly batches: Time[][]; readonly options: RunOptions } {
  const batches: Time[][] = [];
  const onInterim: RunOptions['onInterim'] = (results) => {
    for (const { actor, data } of results) {
      expect(actor).toBe(1);
      batches.push(data as Time[]);
    }
  };
  return { batches, options: { onInterim, interimEveryMs: 0 } };
}

it('what actors give while they run comes once, in order, and its rest at the end', async () => {
  const plain = runSequential([silent, new Ticker(EVENTS)]);
  const { batches, options } = heard();
  expect(runSequential([silent, new Ticker(EVENTS)], options)).toEqual(plain);
  expect(batches.length).toBeGreaterThan(EVENTS / 2);
  expect(batches.flat()).toEqual(expected);
  const other = heard();
  const pause = () => new Promise((resolve) => setTimeout(resolve));
  expect(await runSuspendable([silent, new Ticker(EVENTS)], { ...other.options, pause })).toEqual(plain);
  expect(other.batches.flat()).toEqual(expected);
});

it('a run that stops at its limit gives no rest', () => {
  const { batches, options } = heard();
  runSequential([silent, new Ticker(EVENTS)], { ...options, maxEvents: 10 });
  expect(batches.flat()).toEqual(expected.slice(0, 9));
});

it('others run while a run pauses, and what a pause rejects with ends it', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++);
  const pause = (): Promise<unknown> => {
    if (turns > 5) return Promise.reject(new Error('enough'));
    return new Promise((resolve) => setTimeout(resolve, 2));
  };
  await expect(runSuspendable([silent, new Ticker(Number.POSITIVE_INFINITY)], { pause })).rejects.toThrow('enough');
  clearInterval(timer);
});
