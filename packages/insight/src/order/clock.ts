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
  readonly chains: ReadonlyMap<number, number>;
}

/**
 * A vector clock over chains. Streams that run in order take one number each, however many operations they have;
 * chains within a generation exist only where operations of one stream may overlap. Immutable.
 */
export class Clock {
  static readonly ZERO = new Clock(new Map());
  private readonly timelines: ReadonlyMap<number, Known>;

  private constructor(timelines: ReadonlyMap<number, Known>) {
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
    if (other === this || other.timelines.size === 0) return this;
    if (this.timelines.size === 0) return other;
    let merged: Map<number, Known> | undefined;
    for (const [timeline, theirs] of other.timelines) {
      const ours = this.timelines.get(timeline);
      const both = ours === undefined ? theirs : joined(ours, theirs);
      if (both === ours) continue;
      merged ??= new Map(this.timelines);
      merged.set(timeline, both);
    }
    return merged === undefined ? this : new Clock(merged);
  }

  /** Knows an epoch too. */
  with({ timeline, generation, chain, place }: Epoch): Clock {
    const point: Known = { generation, chains: new Map([[chain, place]]) };
    const ours = this.timelines.get(timeline);
    const both = ours === undefined ? point : joined(ours, point);
    return both === ours ? this : new Clock(new Map(this.timelines).set(timeline, both));
  }
}

function joined(a: Known, b: Known): Known {
  if (a === b || a.generation > b.generation) return a;
  if (b.generation > a.generation) return b;
  let chains: Map<number, number> | undefined;
  for (const [chain, place] of b.chains) {
    if ((a.chains.get(chain) ?? -1) >= place) continue;
    chains ??= new Map(a.chains);
    chains.set(chain, place);
  }
  return chains === undefined ? a : { generation: a.generation, chains };
}
