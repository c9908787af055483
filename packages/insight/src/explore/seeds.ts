import type { Hold } from './holds.ts';

/**
 * A schedule of a program as a short text, by which it is replayed: `delay:12.40` puts off two accesses, one after the
 * other, as long as anything else can happen; `random:7` takes what comes next by chance; `late:3/alone:5` makes devices
 * overlap less than they could.
 */
export type Seed = OrderSeed | HoldSeed;

export type OrderSeed =
  | { readonly kind: 'delay'; readonly accesses: readonly number[] }
  | { readonly kind: 'random'; readonly value: number };

export type HoldSeed = { readonly kind: 'hold'; readonly holds: readonly Hold[] };

export class SeedError extends Error {
  override readonly name = 'SeedError';
}

export function seedText(seed: Seed): string {
  if (seed.kind === 'random') return `random:${seed.value}`;
  if (seed.kind === 'delay') return `delay:${seed.accesses.join('.')}`;
  const parts = HOLDS.flatMap((what) => {
    const nodes = seed.holds.filter((hold) => hold.what === what).map(({ node }) => node);
    return nodes.length === 0 ? [] : [`${what}:${nodes.join('.')}`];
  });
  return parts.length === 0 ? ANY : parts.join('/');
}

/** @throws SeedError for a text that is none */
export function readSeed(text: string): Seed {
  if (text === ANY) return { kind: 'hold', holds: [] };
  const parts = text.split('/').map((part) => {
    const [, what = '', list = ''] = /^(\w+):(\d{1,9}(?:\.\d{1,9})*)$/.exec(part) ?? [];
    if (list === '') throw new SeedError(`no seed of a schedule: "${text}"`);
    return { what, numbers: list.split('.').map(Number) };
  });
  const [first] = parts as [(typeof parts)[number]];
  if (parts.length === 1 && first.what === 'delay') return { kind: 'delay', accesses: first.numbers };
  if (parts.length === 1 && first.what === 'random') return { kind: 'random', value: first.numbers[0] as number };
  const holds = parts.flatMap(({ what, numbers }) => {
    const hold = HOLDS.find((each) => each === what);
    if (hold === undefined) throw new SeedError(`no seed of a schedule: "${text}"`);
    return numbers.map((node): Hold => ({ what: hold, node }));
  });
  return { kind: 'hold', holds };
}

const HOLDS: readonly Hold['what'][] = ['late', 'alone', 'split'];
/** It happens in every schedule. */
const ANY = 'any';
