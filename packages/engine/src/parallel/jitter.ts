import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/** Disturbs a shard's pace at random, to show that no outcome depends on it. */
export class Jitter {
  private readonly random: RandomGenerator;
  private readonly word = new Int32Array(new SharedArrayBuffer(4));

  constructor(seed: number, shard: number) {
    this.random = xoroshiro128plus(Math.imul(seed, 0x9e3779b1) ^ shard);
  }

  /** Sleeps up to a millisecond, now and then. */
  pause(): void {
    if (uniformInt(this.random, 0, 15) === 0) Atomics.wait(this.word, 0, 0, uniformInt(this.random, 0, 10) / 10);
  }

  /** Are messages kept back this time? */
  holdsBack(): boolean {
    return uniformInt(this.random, 0, 2) === 0;
  }
}
