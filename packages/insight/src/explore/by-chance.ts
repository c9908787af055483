import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { Conditions } from './conditions.ts';
import { Schedule } from './schedule.ts';

/** An order in which each next is drawn from all that may happen; the same seed, the same order. */
export function byChance(conditions: Conditions, seed: number): number[] {
  const random = xoroshiro128plus(seed);
  const schedule = new Schedule(conditions);
  const order: number[] = [];
  while (schedule.choices.length > 0) order.push(schedule.take(uniformInt(random, 0, schedule.choices.length - 1)));
  return order;
}
