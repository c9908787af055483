/** What a device need not do: choices of a schedule that nothing in the contract rules out, by node. */
export interface Holds {
  /** Begin only after the ends of what they come after, although they might earlier (rule 1.2). */
  readonly late: ReadonlySet<number>;
  /** Grids and values of streams that begin only after the end of the one that the same host thread enqueued before on the device. */
  readonly alone: ReadonlySet<number>;
  /** Grids of which some blocks find no room until others have ended (rule 5.14). */
  readonly split: ReadonlySet<number>;
}

export const NO_HOLDS: Holds = { late: new Set(), alone: new Set(), split: new Set() };

/** One choice. */
export interface Hold {
  readonly what: keyof Holds;
  readonly node: number;
}

export function holdsOf(list: readonly Hold[]): Holds {
  const of = (what: Hold['what']): Set<number> =>
    new Set(list.filter((hold) => hold.what === what).map(({ node }) => node));
  return { late: of('late'), alone: of('alone'), split: of('split') };
}
