import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { Conditions } from './conditions.ts';
import { Schedule } from './schedule.ts';

/**
 * An order in which everything has a rank that is drawn, and of all that may happen the first by rank does: whatever
 * has a late rank is put off for long, which a draw at every step would hardly do. The same seed, the same order.
 */
export function byChance(conditions: Conditions, seed: number): number[] {
  const random = xoroshiro128plus(seed);
  const ranks = Float64Array.from({ length: conditions.count }, () => uniformInt(random, 0, 0x7fffffff));
  const schedule = new Schedule(conditions);
  const order: number[] = [];
  while (schedule.choices.length > 0) {
    let first = 0;
    schedule.choices.forEach((choice, i) => {
      if ((ranks[choice] as number) < (ranks[schedule.choices[first] as number] as number)) first = i;
    });
    order.push(schedule.take(first));
  }
  return order;
}
