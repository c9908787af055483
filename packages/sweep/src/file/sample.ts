import { ProgramError, type Value } from '@griddep/program';
import { latinHypercube } from '../latin-hypercube.ts';
import { generator, uniform } from '../random.ts';
import type { Axis } from './axis.ts';
import { MOST_POINTS, type SweepDocument } from './schema.ts';

/** The values of all axes at one point, by the axis's name. */
export type Parameters = Readonly<Record<string, Value>>;

export interface Sample {
  /** Points before constraints. */
  readonly count: number;
  readonly seed: number;
  points(): Iterable<Parameters>;
}

/**
 * Which points a sweep takes: all of the grid, so many at random, or a Latin hypercube, in which each axis is cut into as
 * many parts as there are points and each part is used once.
 *
 * @throws ProgramError for more than MOST_POINTS, with their number
 */
export function sampleOf(axes: readonly Axis[], how: SweepDocument['sample']): Sample {
  if (how === undefined || typeof how === 'string') return grid(axes);
  const { random, latinHypercube: parts, seed = 0 } = how;
  if ((random === undefined) === (parts === undefined))
    throw new ProgramError('give one of random and latinHypercube', { path: ['sample'] });
  if (random !== undefined) return { count: random, seed, points: () => atRandom(axes, random, seed) };
  const count = parts as number;
  return { count, seed, points: () => hypercube(axes, count, seed) };
}

function grid(axes: readonly Axis[]): Sample {
  let count = 1;
  for (const { name, size } of axes) {
    if (size === undefined)
      throw new ProgramError(`a grid needs step, count or random of the range "${name}"`, {
        path: ['axes', name],
        atKey: true,
      });
    count *= size;
  }
  if (count > MOST_POINTS) {
    const factors = axes.map(({ name, size }) => `${name} ${size}`).join(' × ');
    throw new ProgramError(
      `${count.toLocaleString('en')} points (${factors}), at most ${MOST_POINTS.toLocaleString('en')} are run; take fewer values, or sample`,
      { path: ['axes'], atKey: true },
    );
  }
  return { count, seed: 0, points: () => product(axes, count) };
}

/** The last axis changes fastest. */
function* product(axes: readonly Axis[], count: number): Iterable<Parameters> {
  for (let i = 0; i < count; i++) {
    const values: [string, Value][] = [];
    let rest = i;
    for (const { name, size, at } of [...axes].reverse()) {
      const n = size as number;
      values.push([name, at(((rest % n) + 0.5) / n)]);
      rest = Math.floor(rest / n);
    }
    yield Object.fromEntries(values.reverse());
  }
}

function* atRandom(axes: readonly Axis[], count: number, seed: number): Iterable<Parameters> {
  const draw = generator(seed, 'random');
  for (let i = 0; i < count; i++) yield Object.fromEntries(axes.map(({ name, at }) => [name, at(uniform(draw))]));
}

function* hypercube(axes: readonly Axis[], count: number, seed: number): Iterable<Parameters> {
  for (const point of latinHypercube(generator(seed, 'latin hypercube'), axes.length, count))
    yield Object.fromEntries(axes.map(({ name, at }, k) => [name, at(point[k] as number)]));
}
