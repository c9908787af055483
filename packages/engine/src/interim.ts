import type { Actor, ActorId, Time } from './actor.ts';

/** What an actor gave while the simulation ran (`Actor.interim`). */
export interface InterimResult {
  readonly actor: ActorId;
  readonly data: unknown;
}

/** Wall time between two looks at the actors, ms. */
const EVERY_MS = 100;
/** A look may take this part of the time at most: else there are fewer. */
const PART = 10;

/** Asks actors for interim results, now and then. */
export class InterimGatherer {
  private readonly actors: readonly (Actor | undefined)[];
  private readonly everyMs: number;
  private due: number;

  /**
   * @param actors by id, undefined for those that live elsewhere
   * @param everyMs least wall time between two looks, ms; 0 for as many as there can be
   */
  constructor(actors: readonly (Actor | undefined)[], everyMs = EVERY_MS) {
    this.actors = actors;
    this.everyMs = everyMs;
    this.due = performance.now() + everyMs;
  }

  /** It is time for another look. */
  get isDue(): boolean {
    return performance.now() >= this.due;
  }

  /** What the actors have, where all events before a time have been handled: in order of their ids, those with nothing left out. */
  gather(before: Time): InterimResult[] {
    const began = performance.now();
    const results: InterimResult[] = [];
    for (const [id, actor] of this.actors.entries()) {
      const data = actor?.interim?.(before);
      if (data !== undefined) results.push({ actor: id, data });
    }
    const ended = performance.now();
    this.due = this.everyMs === 0 ? ended : ended + Math.max(this.everyMs, PART * (ended - began));
    return results;
  }
}
