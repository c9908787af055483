import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import { permutation, uniform } from './random.ts';

/**
 * Points of a Latin hypercube: each of `dimensions` is cut into `count` parts, and each part holds one point. A point's
 * coordinates are from 0 to just below 1.
 *
 * McKay, Beckman and Conover, A comparison of three methods for selecting values of input variables, 1979.
 */
export function* latinHypercube(draw: RandomGenerator, dimensions: number, count: number): Iterable<number[]> {
  const parts = Array.from({ length: dimensions }, () => permutation(draw, count));
  for (let i = 0; i < count; i++) yield parts.map((order) => ((order[i] as number) + uniform(draw)) / count);
}
