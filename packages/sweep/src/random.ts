import { createHash } from 'node:crypto';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/** A generator for one purpose: the same seed and purpose give the same numbers. */
export function generator(seed: number, purpose: string): RandomGenerator {
  return xoroshiro128plus(createHash('sha256').update(`${seed} ${purpose}`).digest().readInt32LE(0));
}

/** From 0 to just below 1. */
export function uniform(draw: RandomGenerator): number {
  return uniformFloat64(draw);
}

/** The numbers from 0 to n - 1 in random order (Fisher and Yates). */
export function permutation(draw: RandomGenerator, n: number): number[] {
  const order = Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = uniformInt(draw, 0, i);
    const [a, b] = [order[i] as number, order[j] as number];
    order[i] = b;
    order[j] = a;
  }
  return order;
}
