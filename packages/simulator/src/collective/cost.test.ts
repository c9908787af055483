import { describe, expect, it } from 'vitest';
import { collectiveTime, type Ring } from './cost.ts';

const STEP = 2_600_000;
const ring = (ranks: number): Ring => ({ ranks, step: STEP, bandwidth: 250e9 });
const moved = (bytes: number): number => Math.ceil((bytes / 250e9) * 1e12);

describe('time of a collective', () => {
  it('two steps and its bytes once for an all-reduce of two', () => {
    expect(collectiveTime({ collective: 'allReduce', bytes: 1 << 24 }, ring(2))).toBe(2 * STEP + moved(1 << 24));
  });

  it('small all-reduces of many go by a tree, large ones round the ring', () => {
    expect(collectiveTime({ collective: 'allReduce', bytes: 8 }, ring(16))).toBe(8 * STEP + moved(16));
    const large = 1 << 30;
    const around = 30 * STEP + moved((2 * 15 * large) / 16);
    expect(collectiveTime({ collective: 'allReduce', bytes: large }, ring(16))).toBe(around);
  });

  it.each([
    ['allGather', 3, 0.75],
    ['reduceScatter', 3, 0.75],
    ['allToAll', 1, 0.75],
    ['sendRecv', 1, 1],
  ] as const)('%s of four: %d steps, %d of its bytes', (collective, steps, part) => {
    expect(collectiveTime({ collective, bytes: 1 << 20 }, ring(4))).toBe(steps * STEP + moved(part * (1 << 20)));
  });

  it('grows with bytes and members', () => {
    const of = (bytes: number, ranks: number) => collectiveTime({ collective: 'allReduce', bytes }, ring(ranks));
    for (const ranks of [2, 3, 4, 8, 16]) expect(of(1 << 24, ranks)).toBeGreaterThan(of(1 << 20, ranks));
    for (const bytes of [8, 1 << 20, 1 << 30]) expect(of(bytes, 8)).toBeGreaterThan(of(bytes, 2));
  });
});
