import { Trie } from './trie.ts';

/**
 * A point on a timeline (a stream's, or a host thread's): its generation, and within the generation its place on a
 * chain. Whoever knows a point of a generation knows all of the generations before, and on its chain what comes before.
 */
export interface Epoch {
  readonly timeline: number;
  readonly generation: number;
  readonly chain: number;
  readonly place: number;
}

/** What is known of one timeline: all before `generation`, and of that generation each chain up to a place. */
interface Known {
  readonly generation: number;
  readonly chains: Trie<number>;
}

const NO_CHAINS: Trie<number> = Trie.empty(Math.max);

/**
 * A vector clock over chains. Streams that run in order take one number each, however many operations they have;
 * chains within a generation exist only where operations of one stream may overlap. Immutable; clocks that come from
 * each other share what they have in common, so that thousands of chains cost each a few steps.
 */
export class Clock {
  static readonly ZERO = new Clock(Trie.empty(joined));
  private readonly timelines: Trie<Known>;

  private constructor(timelines: Trie<Known>) {
    this.timelines = timelines;
  }

  /** Whether what happened at an epoch is known to have happened. */
  knows({ timeline, generation, chain, place }: Epoch): boolean {
    const known = this.timelines.get(timeline);
    if (known === undefined || known.generation < generation) return false;
    return known.generation > generation || (known.chains.get(chain) ?? -1) >= place;
  }

  /** The first generation of a timeline of which not all is known. */
  generation(timeline: number): number {
    return this.timelines.get(timeline)?.generation ?? 0;
  }

  /** Knows what either knows. */
  join(other: Clock): Clock {
    if (other === this) return this;
    const both = this.timelines.join(other.timelines);
    return both === this.timelines ? this : both === other.timelines ? other : new Clock(both);
  }

  /** Knows an epoch too. */
  with({ timeline, generation, chain, place }: Epoch): Clock {
    const ours = this.timelines.get(timeline);
    const chains = ours?.generation === generation ? ours.chains : NO_CHAINS;
    const both = this.timelines.with(timeline, { generation, chains: chains.with(chain, place) });
    return both === this.timelines ? this : new Clock(both);
  }
}

function joined(a: Known, b: Known): Known {
  if (a === b || a.generation > b.generation) return a;
  if (b.generation > a.generation) return b;
  const chains = a.chains.join(b.chains);
  return chains === a.chains ? a : chains === b.chains ? b : { generation: a.generation, chains };
}
