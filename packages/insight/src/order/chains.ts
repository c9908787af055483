import type { Clock, Epoch } from './clock.ts';

/** Chains looked at before a point gets one of its own: streams seldom have more work that may overlap. */
const LOOKED_AT = 8;

/** One timeline as points are put on it. */
interface Timeline {
  generation: number;
  /** The last place of each chain of this generation. */
  chains: number[];
  /** Points since all chains were looked at. */
  since: number;
}

/**
 * Decomposes what happens into chains: a point goes to the end of a chain whose last point it comes after. Where it
 * comes after all of the timeline's, a new generation begins, so that a stream in order needs no chain at all.
 */
export class Chains {
  private readonly timelines = new Map<number, Timeline>();
  private extra: number;

  /** @param timelines their number; points that fit on none get timelines of their own beyond */
  constructor(timelines: number) {
    this.extra = timelines;
  }

  /** Puts a point on a timeline, given what is known where it is published. */
  place(timeline: number, known: Clock): Epoch {
    let line = this.timelines.get(timeline);
    if (line === undefined) {
      line = { generation: 0, chains: [], since: 0 };
      this.timelines.set(timeline, line);
    }
    const { generation, chains } = line;
    if (known.generation(timeline) < generation && generation > 0) return this.apart();
    const last = (chain: number): Epoch => ({ timeline, generation, chain, place: chains[chain] as number });
    const isDue = chains.length <= LOOKED_AT || ++line.since >= chains.length;
    if (isDue) line.since = 0;
    if (isDue && chains.every((_, chain) => known.knows(last(chain)))) {
      if (chains.length > 0) line.generation += 1;
      line.chains = [0];
      return { timeline, generation: line.generation, chain: 0, place: 0 };
    }
    for (let chain = chains.length - 1; chain >= Math.max(0, chains.length - LOOKED_AT); chain--) {
      if (!known.knows(last(chain))) continue;
      chains[chain] = (chains[chain] as number) + 1;
      return last(chain);
    }
    chains.push(0);
    return last(chains.length - 1);
  }

  /** A timeline for one point, of a stream in which nothing says what comes before it. */
  private apart(): Epoch {
    return { timeline: this.extra++, generation: 0, chain: 0, place: 0 };
  }
}
